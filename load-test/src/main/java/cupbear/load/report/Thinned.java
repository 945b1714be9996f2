// SPDX-License-Identifier: Apache-2.0
package cupbear.load.report;

import cupbear.load.report.LoadReport.Band;
import cupbear.load.report.LoadReport.Bands;
import cupbear.load.report.LoadReport.Slice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A long run in fewer moments, so that a page stays small. What is left out is never the worst:
 * several slices become one with the largest of their figures, and of several moments the one with
 * the fewest warm Machines stays. report.json has them all.
 */
final class Thinned {
  /** As many as a plot can show apart. */
  static final int COLUMNS = 160;

  private Thinned() {}

  static List<Slice> slices(List<Slice> all, int most) {
    return groups(all, most).stream().map(Thinned::worst).toList();
  }

  static List<Bands> bands(List<Bands> all, int most) {
    return groups(all, most).stream().map(Thinned::leastWarm).toList();
  }

  /**
   * How long one slice of the thinned ones is, in seconds. Slices in which nothing happened may be
   * left out, so it is the length of which all of them begin at a multiple.
   */
  static double width(List<Slice> all, Duration length, int most) {
    long common = 0;
    for (Slice slice : all) common = common(common, slice.at().toMillis());
    double seconds = (common == 0 ? length.toMillis() : common) / 1e3;
    return Math.min(seconds * each(all, most), length.toMillis() / 1e3);
  }

  private static long common(long a, long b) {
    return b == 0 ? a : common(b, a % b);
  }

  /** How many become one. */
  private static int each(List<?> all, int most) {
    return Math.ceilDiv(Math.max(1, all.size()), most);
  }

  private static <T> List<List<T>> groups(List<T> all, int most) {
    int each = each(all, most);
    List<List<T>> groups = new ArrayList<>();
    for (int from = 0; from < all.size(); from += each) {
      groups.add(all.subList(from, Math.min(all.size(), from + each)));
    }
    return groups;
  }

  private static Slice worst(List<Slice> group) {
    return group.stream().reduce(Thinned::worse).orElseThrow();
  }

  private static Slice worse(Slice a, Slice b) {
    return new Slice(
        a.at(),
        a.granted() + b.granted(),
        a.refused() + b.refused(),
        Math.max(a.p50us(), b.p50us()),
        Math.max(a.p95us(), b.p95us()),
        Math.max(a.p99us(), b.p99us()),
        Math.max(a.maxUs(), b.maxUs()));
  }

  private static Bands leastWarm(List<Bands> group) {
    return group.stream().min(Comparator.comparingInt(Thinned::warm)).orElseThrow();
  }

  private static int warm(Bands bands) {
    return bands.regions().values().stream().mapToInt(Band::warm).sum();
  }
}
