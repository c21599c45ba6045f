// What pgjdbc does that libpq does not: it prepares on the server after a few uses, fetches a
// result in parts, sends batches without waiting, and cancels from another thread.

import java.io.StringReader;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

final class JdbcClient {
  private static final int ROWS = 3000;
  private static final String CANCELLED = "57014";

  public static void main(String[] urls) throws Exception {
    for (String url : urls) {
      try (Connection connection = DriverManager.getConnection(url)) {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
          statement.execute("create temporary table rows (number int, text text)");
        }
        insertBatch(connection);
        System.out.println("prepared " + sumPrepared(connection));
        System.out.println("fetched " + sumFetched(connection));
        System.out.println("copied " + copy(connection));
        connection.rollback();
        System.out.println("cancelled " + cancel(connection));
      }
    }
  }

  private static void insertBatch(Connection connection) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("insert into rows values (?, ?)")) {
      for (int i = 0; i < ROWS; ++i) {
        insert.setInt(1, i);
        insert.setString(2, "text " + i);
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private static long sumPrepared(Connection connection) throws SQLException {
    long sum = 0;
    try (PreparedStatement select =
        connection.prepareStatement("select number from rows where text = ?")) {
      for (int i = 0; i < 20; ++i) {
        select.setString(1, "text " + i);
        try (ResultSet result = select.executeQuery()) {
          while (result.next()) {
            sum += result.getInt(1);
          }
        }
      }
    }
    return sum;
  }

  private static long sumFetched(Connection connection) throws SQLException {
    long sum = 0;
    try (Statement select = connection.createStatement()) {
      select.setFetchSize(100);
      try (ResultSet result = select.executeQuery("select number from rows")) {
        while (result.next()) {
          sum += result.getInt(1);
        }
      }
    }
    return sum;
  }

  private static boolean copy(Connection connection) throws Exception {
    CopyManager copies = connection.unwrap(PGConnection.class).getCopyAPI();
    StringWriter first = new StringWriter();
    copies.copyOut("copy rows to stdout", first);
    try (Statement statement = connection.createStatement()) {
      statement.execute("truncate rows");
    }
    copies.copyIn("copy rows from stdin", new StringReader(first.toString()));
    StringWriter second = new StringWriter();
    copies.copyOut("copy rows to stdout", second);
    return first.toString().equals(second.toString());
  }

  private static boolean cancel(Connection connection) throws SQLException {
    try (Statement sleep = connection.createStatement()) {
      sleep.setQueryTimeout(1);
      sleep.execute("select pg_sleep(30)");
      return false;
    } catch (SQLException e) {
      return CANCELLED.equals(e.getSQLState());
    }
  }
}
