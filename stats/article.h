// The arithmetic of the published study of release gates, where it differs from ours.
//
// Only to print that study's tables from the same rounds digit for digit, so that a reader can
// compare. Nothing else should use it: the generator is weak, and its product is rounded, so that
// it is not even the generator that its constants name. Its quantiles are those of quantile.h, and
// its median is Quantile(values, 0.5), the upper one.
//
// Not thread-safe: one generator a thread.

#ifndef TARE_STATS_ARTICLE_H_
#define TARE_STATS_ARTICLE_H_

namespace tare::stats {

inline constexpr double kArticleSeed = 20260731;

class ArticleGenerator {
 public:
  explicit ArticleGenerator(double seed) : state_(seed) {}

  // In [0, 1). The state is fmod(1103515245 state + 12345, 2^31) in IEEE doubles.
  double Uniform();

 private:
  double state_;
};

// `value` rounded to so many decimals, exact ties up, where printf rounds them to even. The values
// meant are times and ratios. Requires: |value| × 10^decimals < 2^52, 0 <= decimals <= 9.
double RoundTiesUp(double value, int decimals);

}  // namespace tare::stats

#endif  // TARE_STATS_ARTICLE_H_
