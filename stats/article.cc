#include "stats/article.h"

#include <cmath>

namespace tare::stats {
namespace {

constexpr double kMultiplier = 1103515245;
constexpr double kIncrement = 12345;
constexpr double kModulus = 2147483648;

}  // namespace

double ArticleGenerator::Uniform() {
  // Two roundings, as in the study: a fused multiply-add would give other numbers.
  const volatile double product = kMultiplier * state_;
  state_ = std::fmod(product + kIncrement, kModulus);
  return state_ / kModulus;
}

double RoundTiesUp(double value, int decimals) {
  double scale = 1;
  for (int i = 0; i < decimals; ++i) scale *= 10;
  const double scaled = value * scale;
  // What the product lost: only with it is it known whether this is a tie.
  const double lost = std::fma(value, scale, -scaled);
  const double below = std::floor(scaled);
  const double rest = scaled - below;
  const bool is_up = rest > 0.5 || (rest == 0.5 && lost >= 0);
  return (is_up ? below + 1 : below) / scale;
}

}  // namespace tare::stats
