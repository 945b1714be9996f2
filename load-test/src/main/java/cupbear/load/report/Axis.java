// SPDX-License-Identifier: Apache-2.0
package cupbear.load.report;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One side of a plot: where a value lies on it, and which values are written beside it. */
sealed interface Axis {
  /** A value that is written, and how. */
  record Tick(double value, String label) {}

  double at(double value);

  List<Tick> ticks();

  /** Seconds since the scenario began, from left to right. */
  record Time(double seconds, double left, double width) implements Axis {
    private static final int[] STEPS = {1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 7200};
    private static final int MOST_TICKS = 13;

    static Time until(Duration end, double left, double width) {
      return new Time(Math.max(1, end.toMillis() / 1e3), left, width);
    }

    double at(Duration moment) {
      return at(moment.toNanos() / 1e9);
    }

    @Override
    public double at(double value) {
      return left + width * Math.clamp(value / seconds, 0, 1);
    }

    @Override
    public List<Tick> ticks() {
      int step = STEPS[STEPS.length - 1];
      for (int i = STEPS.length - 1; i >= 0 && seconds / STEPS[i] <= MOST_TICKS; i--) {
        step = STEPS[i];
      }
      List<Tick> ticks = new ArrayList<>();
      for (long at = 0; at <= seconds; at += step) {
        ticks.add(new Tick(at, Figures.span(Duration.ofSeconds(at))));
      }
      return ticks;
    }
  }

  /** Microseconds by powers of ten, upwards; what is below the lowest lies on it. */
  record Latency(int lowest, int highest, double top, double height) implements Axis {
    private static final int MICROS_100 = 2;
    private static final int SECOND = 6;

    /** Holds a tenth of a millisecond to a second, and more if there is more. */
    static Latency upTo(long mostMicros, double top, double height) {
      int highest = (int) Math.ceil(Math.log10(Math.max(1.0, (double) mostMicros)));
      return new Latency(MICROS_100, Math.max(SECOND, highest), top, height);
    }

    @Override
    public double at(double micros) {
      double power = Math.log10(Math.max(1, micros));
      double share = Math.clamp((power - lowest) / (highest - lowest), 0, 1);
      return top + height * (1 - share);
    }

    @Override
    public List<Tick> ticks() {
      List<Tick> ticks = new ArrayList<>();
      for (int power = lowest; power <= highest; power++) {
        ticks.add(new Tick(Math.pow(10, power), label(power)));
      }
      return ticks;
    }

    private static String label(int power) {
      double micros = Math.pow(10, power);
      return power >= SECOND
          ? Figures.plain(micros / 1e6) + " s"
          : Figures.plain(micros / 1e3) + " ms";
    }
  }

  /** How many, upwards from none. */
  record Amount(long most, double top, double height) implements Axis {
    static Amount upTo(long most, double top, double height) {
      return new Amount(Math.max(1, most), top, height);
    }

    @Override
    public double at(double value) {
      return top + height * (1 - Math.clamp(value / most, 0, 1));
    }

    @Override
    public List<Tick> ticks() {
      return List.of(new Tick(0, "0"), new Tick(most, Figures.count(most)));
    }
  }

  /** Percentiles, each nine as wide as the one before: 0, 90, 99, 99.9 %, as HdrHistogram plots. */
  record Nines(int nines, double left, double width) implements Axis {
    private static final int FEWEST = 2;
    private static final int MOST = 6;

    /** As many nines as so many values can tell of. */
    static Nines of(long values, double left, double width) {
      int nines = (int) Math.ceil(Math.log10(Math.max(1.0, (double) values)));
      return new Nines(Math.clamp(nines, FEWEST, MOST), left, width);
    }

    @Override
    public double at(double percentile) {
      double beyond = Math.max(1 - percentile / 100, Math.pow(10, -nines));
      return left + width * Math.clamp(-Math.log10(beyond) / nines, 0, 1);
    }

    @Override
    public List<Tick> ticks() {
      List<Tick> ticks = new ArrayList<>();
      for (int i = 0; i <= nines; i++) {
        double percentile = 100 * (1 - Math.pow(10, -i));
        String digits = i == 0 ? "0" : i == 1 ? "90" : i == 2 ? "99" : "99." + "9".repeat(i - 2);
        ticks.add(new Tick(percentile, digits + " %"));
      }
      return ticks;
    }
  }
}
