// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.Region;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/** Where Fly's regions are, and how far apart. Immutable; the table is read once, from the jar. */
public record Atlas(Map<Region, Place> places) {
  private static final double EARTH_RADIUS_KM = 6371.0;

  /** A region's place on the map. */
  public record Place(Region region, String name, double latitude, double longitude) {
    public Place {
      if (!(Math.abs(latitude) <= 90) || !(Math.abs(longitude) <= 180)) {
        throw new IllegalArgumentException(
            "%s lies at %s, %s; latitudes end at 90 and longitudes at 180"
                .formatted(region, latitude, longitude));
      }
    }
  }

  private static final String TABLE = "regions.tsv";

  /** Fly's regions, from the table in the jar. */
  public static final Atlas FLY = read();

  public Atlas {
    SortedMap<Region, Place> sorted = new TreeMap<>(places);
    places = Collections.unmodifiableSortedMap(sorted);
  }

  public static Atlas of(Place... places) {
    SortedMap<Region, Place> byRegion = new TreeMap<>();
    Arrays.stream(places).forEach(place -> byRegion.put(place.region(), place));
    return new Atlas(byRegion);
  }

  /** The great-circle distance; empty when one of them is not on the map. */
  public OptionalDouble distanceKm(Region from, Region to) {
    if (from.equals(to)) return OptionalDouble.of(0);
    Place a = places.get(from);
    Place b = places.get(to);
    return a == null || b == null ? OptionalDouble.empty() : OptionalDouble.of(greatCircle(a, b));
  }

  private static double greatCircle(Place a, Place b) {
    double lat1 = Math.toRadians(a.latitude());
    double lat2 = Math.toRadians(b.latitude());
    double sinLat = Math.sin((lat2 - lat1) / 2);
    double sinLon = Math.sin(Math.toRadians(b.longitude() - a.longitude()) / 2);
    double h = sinLat * sinLat + Math.cos(lat1) * Math.cos(lat2) * sinLon * sinLon;
    return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(h)));
  }

  private static Atlas read() {
    try (InputStream in = Atlas.class.getResourceAsStream(TABLE)) {
      if (in == null) throw new IllegalStateException(TABLE + " is missing from the jar");
      String table = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return of(
          table
              .lines()
              .filter(line -> !line.startsWith("#"))
              .map(Atlas::place)
              .toArray(Place[]::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Place place(String line) {
    String[] fields = line.split("\t", -1);
    double latitude = Double.parseDouble(fields[1]);
    double longitude = Double.parseDouble(fields[2]);
    return new Place(new Region(fields[0]), fields[3], latitude, longitude);
  }
}
