// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import java.time.Instant;

/**
 * Which page of an organisation's Machines.
 *
 * @param updatedAfter the epoch for all; overlap by some seconds, the feed lags
 * @param cursor of the page before; empty for the first
 * @param limit advisory, at most 1000; 0 leaves it to Fly
 */
public record OrgQuery(
    String region, Instant updatedAfter, String cursor, int limit, boolean includeDeleted) {

  public static final OrgQuery FIRST = new OrgQuery("", Instant.EPOCH, "", 0, false);

  public OrgQuery {
    region = Absent.text(region);
    updatedAfter = Absent.time(updatedAfter);
    cursor = Absent.text(cursor);
    if (limit < 0 || limit > 1000) {
      throw new IllegalArgumentException("limit is 0 to 1000, not " + limit);
    }
  }

  public OrgQuery inRegion(String code) {
    return new OrgQuery(code, updatedAfter, cursor, limit, includeDeleted);
  }

  public OrgQuery since(Instant time) {
    return new OrgQuery(region, time, cursor, limit, includeDeleted);
  }

  public OrgQuery from(String pageCursor) {
    return new OrgQuery(region, updatedAfter, pageCursor, limit, includeDeleted);
  }

  public OrgQuery atMost(int machines) {
    return new OrgQuery(region, updatedAfter, cursor, machines, includeDeleted);
  }

  public OrgQuery withDeleted() {
    return new OrgQuery(region, updatedAfter, cursor, limit, true);
  }
}
