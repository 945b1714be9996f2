// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli.operator;

import cupbear.scheduler.cli.operator.PoolDocuments.Place;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What can be waited for, judged over the regional pools that are looked at. */
sealed interface Condition {
  Pattern SHAPE = Pattern.compile("(warm|queue|assigned|draining)=([0-9]{1,6}|floor)");

  boolean isMet(List<Place> places);

  /** How it stands. */
  String sentence(List<Place> places);

  /** Such as {@code warm=5}; empty when it is none. */
  static Optional<Condition> read(String text) {
    Matcher parts = SHAPE.matcher(text);
    if (!parts.matches()) return Optional.empty();
    String what = parts.group(1);
    if (parts.group(2).equals("floor")) {
      return what.equals("warm") ? Optional.of(new AtFloor()) : Optional.empty();
    }
    int number = Integer.parseInt(parts.group(2));
    return Optional.of(what.equals("warm") ? new AtLeast(number) : new AtMost(what, number));
  }

  /** So many warm, over all. */
  record AtLeast(int wanted) implements Condition {
    @Override
    public boolean isMet(List<Place> places) {
      return sum(places, "warm") >= wanted;
    }

    @Override
    public String sentence(List<Place> places) {
      return "%d warm of %d wanted (%s)"
          .formatted(sum(places, "warm"), wanted, each(places, "warm"));
    }
  }

  /** Each region has what it should always have. */
  record AtFloor() implements Condition {
    @Override
    public boolean isMet(List<Place> places) {
      return places.stream().allMatch(place -> count(place, "warm") >= floor(place));
    }

    @Override
    public String sentence(List<Place> places) {
      return places.stream()
          .map(place ->
              "%s %d warm, floor %d".formatted(place.code(), count(place, "warm"), floor(place)))
          .collect(Collectors.joining("; "));
    }

    private static int floor(Place place) {
      return place.region().path("warm_min").asInt();
    }
  }

  /** No more than so many, over all. */
  record AtMost(String what, int wanted) implements Condition {
    @Override
    public boolean isMet(List<Place> places) {
      return sum(places, what) <= wanted;
    }

    @Override
    public String sentence(List<Place> places) {
      return "%s is %d, at most %d wanted (%s)"
          .formatted(what, sum(places, what), wanted, each(places, what));
    }
  }

  private static int sum(List<Place> places, String what) {
    return places.stream().mapToInt(place -> count(place, what)).sum();
  }

  private static int count(Place place, String what) {
    return what.equals("queue")
        ? place.region().path("queue_depth").asInt()
        : place.region().path("counts").path(what).asInt();
  }

  private static String each(List<Place> places, String what) {
    return places.stream()
        .map(place -> place.code() + " " + count(place, what))
        .collect(Collectors.joining(", "));
  }
}
