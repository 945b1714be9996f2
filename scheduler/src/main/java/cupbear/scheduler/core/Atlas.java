// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import cupbear.scheduler.model.Region;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Where Fly's regions are, and how far apart. A table in code, because decisions open no files; its
 * test holds it against Fly's own.
 */
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

  /** Fly's regions, autumn 2026. */
  public static final Atlas FLY =
      of(
          place("ams", "Amsterdam, Netherlands", 52.374342, 4.895439),
          place("arn", "Stockholm, Sweden", 59.6512, 17.9178),
          place("bom", "Mumbai, India", 19.097403, 72.874245),
          place("cdg", "Paris, France", 48.860875, 2.353477),
          place("dfw", "Dallas, Texas (US)", 32.778287, -96.7984),
          place("ewr", "Secaucus, NJ (US)", 40.789543, -74.05653),
          place("fra", "Frankfurt, Germany", 50.1167, 8.6833),
          place("gru", "Sao Paulo, Brazil", -23.549664, -46.65435),
          place("iad", "Ashburn, Virginia (US)", 39.02214, -77.462556),
          place("jnb", "Johannesburg, South Africa", -26.13629, 28.20298),
          place("lax", "Los Angeles, California (US)", 33.9416, -118.4085),
          place("lhr", "London, United Kingdom", 51.516434, -0.125656),
          place("nrt", "Tokyo, Japan", 35.62161, 139.74185),
          place("ord", "Chicago, Illinois (US)", 41.891544, -87.63039),
          place("sin", "Singapore, Singapore", 1.3, 103.8),
          place("sjc", "San Jose, California (US)", 37.3516, -121.89674),
          place("syd", "Sydney, Australia", -33.86603, 151.20693),
          place("yyz", "Toronto, Canada", 43.64463, -79.38423));

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

  private static Place place(String code, String name, double latitude, double longitude) {
    return new Place(new Region(code), name, latitude, longitude);
  }
}
