// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.scheduler.model.Epoch;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How each kind of value of the API is written; the words of the schemas in docs/openapi.yaml. */
final class Readings {
  private static final Pattern POOL = Pattern.compile("[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?");
  private static final Pattern REGION = Pattern.compile("[a-z]{3,4}");
  private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");
  private static final Pattern TENANT = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
  private static final Pattern LABEL = Pattern.compile("[a-z0-9](?:[a-z0-9_.-]{0,62}[a-z0-9])?");
  private static final Pattern OCTETS =
      Pattern.compile("(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(?:\\.(?!$)|$)){4}");
  private static final Pattern COLONS = Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");
  private static final Pattern RECEIPT = Pattern.compile("[A-Za-z0-9_.=-]{1,2048}");
  private static final Pattern SOURCE = Pattern.compile("[a-z0-9][a-z0-9_-]{0,31}");
  private static final int REGIONS_MOST = 16;
  private static final int LABELS_MOST = 16;
  private static final int LABEL_LONGEST = 64;
  private static final int ADDRESS_LONGEST = 45;
  private static final double RATE_MOST = 1_000_000;

  static final Fields.Reading<String> TENANT_NAME =
      Fields.text(TENANT, "1 to 64 letters, digits, '_', '.' or '-'");
  static final Fields.Reading<String> RECEIPT_TEXT =
      Fields.text(RECEIPT, "a receipt as it was given");
  static final Fields.Reading<String> SOURCE_NAME =
      Fields.text(SOURCE, "1 to 32 small letters, digits, '_' or '-'");

  private Readings() {}

  static PoolName pool(Object value) {
    String rule = "the name of a pool: small letters, digits and '-', up to 32";
    return new PoolName(Fields.text(POOL, rule).read(value));
  }

  static Region region(Object value) {
    return new Region(Fields.text(REGION, "a region code such as iad").read(value));
  }

  /** One, or several in order of preference. */
  static List<Region> regions(Object value) {
    if (!(value instanceof List<?> list)) return List.of(region(value));
    if (list.isEmpty() || list.size() > REGIONS_MOST) {
      throw new IllegalArgumentException("must name 1 to %d regions".formatted(REGIONS_MOST));
    }
    List<Region> regions = new ArrayList<>();
    for (Object each : list) {
      if (each == null) throw new IllegalArgumentException("has a null in it");
      regions.add(region(each));
    }
    if (new HashSet<>(regions).size() < regions.size()) {
      throw new IllegalArgumentException("names a region twice");
    }
    return regions;
  }

  static Duration duration(Object value) {
    Matcher parts = DURATION.matcher(Fields.text(value));
    if (!parts.matches()) {
      throw new IllegalArgumentException("must be a number and a unit: ms, s, m, h; such as 5s");
    }
    long number = Long.parseLong(parts.group(1));
    return switch (parts.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      default -> Duration.ofHours(number);
    };
  }

  static Fields.Reading<Duration> durationUpTo(Duration most) {
    return value -> {
      Duration duration = duration(value);
      if (duration.isPositive() && duration.compareTo(most) <= 0) return duration;
      throw new IllegalArgumentException(
          "is %s; give more than 0s and at most %s".formatted(value, Texts.duration(most)));
    };
  }

  static Epoch epoch(Object value) {
    return new Epoch(Fields.whole(0, Long.MAX_VALUE).read(value));
  }

  /** Data only: nothing is ever looked up or dialled. */
  static String address(Object value) {
    String text = Fields.text(value);
    boolean literal =
        text.length() <= ADDRESS_LONGEST
            && (OCTETS.matcher(text).matches()
                || (COLONS.matcher(text).matches() && isVersion6(text)));
    if (literal) return text;
    throw new IllegalArgumentException("must be an IP address, such as fdaa:9:d844:a7b:2::3");
  }

  /** With a colon in it the JDK reads an address and never asks a name server. */
  private static boolean isVersion6(String text) {
    try {
      return InetAddress.getByName(text) != null;
    } catch (UnknownHostException notOne) {
      return false;
    }
  }

  /** As many mistakes as there are, each under its own name. */
  static Map<String, String> labels(Fields fields, Object value) {
    Map<String, String> labels = new TreeMap<>();
    if (!(value instanceof Map<?, ?> map)) {
      throw new IllegalArgumentException("must be an object of texts");
    }
    if (map.size() > LABELS_MOST) {
      throw new IllegalArgumentException("has more than %d entries".formatted(LABELS_MOST));
    }
    map.forEach((name, each) -> {
      String field = "labels." + name;
      if (!LABEL.matcher(String.valueOf(name)).matches()) {
        fields.wrong(field, "must be named with small letters, digits, '_', '.' and '-'");
      } else if (!(each instanceof String text) || text.length() > LABEL_LONGEST) {
        fields.wrong(field, "must be a text of up to %d characters".formatted(LABEL_LONGEST));
      } else {
        labels.put(String.valueOf(name), text);
      }
    });
    return labels;
  }

  static double rate(Object value) {
    double rate =
        value instanceof Number number && !(value instanceof Boolean)
            ? number.doubleValue()
            : Double.NaN;
    if (rate > 0 && rate <= RATE_MOST) return rate;
    throw new IllegalArgumentException("must be a number above 0 and up to 1000000");
  }
}
