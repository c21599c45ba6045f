// Holds nothing: the headers that are read once need a source file to be compiled for.
