// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Which known word was probably meant by an unknown one. */
final class Nearest {
  /** Longer words are no typing mistake, and comparing them would cost more than it tells. */
  private static final int LENGTH_MOST = 100;

  private Nearest() {}

  static Optional<String> to(String word, Collection<String> known) {
    if (word.length() > LENGTH_MOST) return Optional.empty();
    int most = Math.max(1, word.length() / 3);
    return known.stream()
        .filter(each -> distance(word, each) <= most)
        .min(
            Comparator.<String>comparingInt(each -> distance(word, each))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** Inserted, lost, changed and swapped letters count one each. */
  static int distance(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) cost[i][0] = i;
    for (int j = 0; j <= b.length(); j++) cost[0][j] = j;
    for (int i = 1; i <= a.length(); i++) {
      for (int j = 1; j <= b.length(); j++) {
        int change = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        cost[i][j] = Math.min(change, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
        if (isSwap(a, b, i, j)) cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
    return cost[a.length()][b.length()];
  }

  private static boolean isSwap(String a, String b, int i, int j) {
    return i > 1
        && j > 1
        && a.charAt(i - 1) == b.charAt(j - 2)
        && a.charAt(i - 2) == b.charAt(j - 1);
  }
}
