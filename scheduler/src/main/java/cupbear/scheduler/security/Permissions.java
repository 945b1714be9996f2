// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.security;

import static cupbear.scheduler.security.Permissions.Reach.ALL;
import static cupbear.scheduler.security.Permissions.Reach.NONE;
import static cupbear.scheduler.security.Permissions.Reach.OWN;

import cupbear.scheduler.model.PoolName;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which role may do what: one table. A pool scope of the token narrows it further. */
public final class Permissions {
  /** How far a role reaches. */
  public enum Reach {
    NONE,
    /** What the caller made itself. */
    OWN,
    ALL
  }

  /** Whether a request may go on. */
  public sealed interface Decision {
    record Allowed() implements Decision {}

    /** Allowed for what belongs to the caller: the answer holds nothing else. */
    record OwnOnly() implements Decision {}

    /** Why, for the log and the meter; a caller only hears 403. */
    record Denied(Why why) implements Decision {}
  }

  /** Why not. */
  public enum Why {
    ROLE,
    POOL,
    OWNER
  }

  private static final Map<Permission, Map<Role, Reach>> TABLE = new EnumMap<>(Permission.class);

  static {
    //                               gateway viewer operator admin
    row(Permission.SESSION_CREATE, OWN, NONE, NONE, OWN);
    row(Permission.SESSION_GET, OWN, ALL, ALL, ALL);
    row(Permission.SESSION_CONNECTED, OWN, NONE, NONE, OWN);
    row(Permission.SESSION_LEASE, OWN, NONE, NONE, OWN);
    row(Permission.SESSION_FAIL, OWN, NONE, NONE, ALL);
    row(Permission.SESSION_DELETE, OWN, NONE, ALL, ALL);
    row(Permission.POOLS_READ, ALL, ALL, ALL, ALL);
    row(Permission.PLAN_READ, NONE, ALL, ALL, ALL);
    row(Permission.MACHINES_READ, NONE, ALL, ALL, ALL);
    row(Permission.ADDRESSES_READ, OWN, NONE, ALL, ALL);
    row(Permission.EVENTS_READ, OWN, ALL, ALL, ALL);
    row(Permission.AUDIT_READ, NONE, NONE, NONE, ALL);
    row(Permission.SIGNALS_POST, ALL, NONE, ALL, ALL);
    row(Permission.DRAIN, NONE, NONE, ALL, ALL);
    row(Permission.CORDON, NONE, NONE, ALL, ALL);
    row(Permission.UNCORDON, NONE, NONE, ALL, ALL);
    row(Permission.PAUSE, NONE, NONE, ALL, ALL);
    row(Permission.RESUME, NONE, NONE, ALL, ALL);
    row(Permission.RELOAD, NONE, NONE, ALL, ALL);
    row(Permission.DOCS, ALL, ALL, ALL, ALL);
  }

  private Permissions() {}

  private static void row(
      Permission permission, Reach gateway, Reach viewer, Reach operator, Reach admin) {
    Map<Role, Reach> row = new EnumMap<>(Role.class);
    row.put(Role.GATEWAY, gateway);
    row.put(Role.VIEWER, viewer);
    row.put(Role.OPERATOR, operator);
    row.put(Role.ADMIN, admin);
    TABLE.put(permission, Collections.unmodifiableMap(row));
  }

  /** Whether this needs no token at all. */
  public static boolean isOpen(Permission permission) {
    return permission == Permission.DOCS;
  }

  public static Reach reach(Role role, Permission permission) {
    Map<Role, Reach> row = TABLE.getOrDefault(permission, Map.of());
    return row.getOrDefault(role, NONE);
  }

  /**
   * @param pool the pool that is meant; null when the request is about none or all, then the answer
   *     is narrowed to the caller's pools by whoever makes it
   * @param owner the name of the caller that made the session; null when the request is not about
   *     one session
   */
  public static Decision decide(
      Caller caller, Permission permission, @Nullable PoolName pool, @Nullable String owner) {
    Reach reach = reach(caller.role(), permission);
    if (reach == NONE) return new Decision.Denied(Why.ROLE);
    if (pool != null && !caller.mayTouch(pool)) return new Decision.Denied(Why.POOL);
    if (reach == ALL) return new Decision.Allowed();
    if (owner == null) return new Decision.OwnOnly();
    return owner.equals(caller.name()) ? new Decision.Allowed() : new Decision.Denied(Why.OWNER);
  }
}
