// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.security;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.security.Permissions.Decision;
import cupbear.scheduler.security.Permissions.Reach;
import cupbear.scheduler.security.Permissions.Why;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every cell of role × permission, written down a second time on purpose. */
class PermissionsTest {
  private static final String TABLE =
      """
      SESSION_CREATE     own   none  none  own
      SESSION_GET        own   all   all   all
      SESSION_CONNECTED  own   none  none  own
      SESSION_LEASE      own   none  none  own
      SESSION_FAIL       own   none  none  all
      SESSION_DELETE     own   none  all   all
      POOLS_READ         all   all   all   all
      PLAN_READ          none  all   all   all
      MACHINES_READ      none  all   all   all
      ADDRESSES_READ     own   none  all   all
      EVENTS_READ        own   all   all   all
      AUDIT_READ         none  none  none  all
      SIGNALS_POST       all   none  all   all
      DRAIN              none  none  all   all
      CORDON             none  none  all   all
      UNCORDON           none  none  all   all
      PAUSE              none  none  all   all
      RESUME             none  none  all   all
      RELOAD             none  none  all   all
      DOCS               all   all   all   all
      """;

  private static final List<Role> COLUMNS =
      List.of(Role.GATEWAY, Role.VIEWER, Role.OPERATOR, Role.ADMIN);

  record Cell(Role role, Permission permission, Reach reach) {
    @Override
    public String toString() {
      return "%s %s: %s".formatted(role.word(), permission, reach);
    }
  }

  static Stream<Cell> cells() {
    return TABLE
        .lines()
        .map(line -> line.trim().split("\\s+"))
        .flatMap(words ->
            Stream.of(Role.values())
                .map(role ->
                    new Cell(
                        role,
                        Permission.valueOf(words[0]),
                        Reach.valueOf(words[1 + COLUMNS.indexOf(role)].toUpperCase(Locale.ROOT)))));
  }

  private static final PoolName VIEWERS = new PoolName("viewers");
  private static final PoolName OTHERS = new PoolName("others");

  private static Caller caller(Role role) {
    return new Caller("edge", "abcdefghij", role, Set.of(VIEWERS));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  void reachesAsFarAsTheTableSays(Cell cell) {
    assertThat(Permissions.reach(cell.role(), cell.permission())).isEqualTo(cell.reach());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cells")
  void decidesByRoleThenPoolThenOwner(Cell cell) {
    Caller caller = caller(cell.role());
    Decision foreign = Permissions.decide(caller, cell.permission(), VIEWERS, "another");
    Decision own = Permissions.decide(caller, cell.permission(), VIEWERS, "edge");
    Decision any = Permissions.decide(caller, cell.permission(), VIEWERS, null);
    Decision elsewhere = Permissions.decide(caller, cell.permission(), OTHERS, "edge");
    switch (cell.reach()) {
      case NONE ->
          assertThat(Stream.of(foreign, own, any, elsewhere))
              .containsOnly(new Decision.Denied(Why.ROLE));
      case OWN -> {
        assertThat(foreign).isEqualTo(new Decision.Denied(Why.OWNER));
        assertThat(own).isEqualTo(new Decision.Allowed());
        assertThat(any).isEqualTo(new Decision.OwnOnly());
        assertThat(elsewhere).isEqualTo(new Decision.Denied(Why.POOL));
      }
      case ALL -> {
        assertThat(Stream.of(foreign, own, any)).containsOnly(new Decision.Allowed());
        assertThat(elsewhere).isEqualTo(new Decision.Denied(Why.POOL));
      }
    }
  }

  @Test
  void noPermissionIsForgotten() {
    assertThat(cells().map(Cell::permission)).contains(Permission.values());
  }

  @Test
  void onlyTheDocumentationIsOpen() {
    assertThat(Stream.of(Permission.values()).filter(Permissions::isOpen))
        .containsExactly(Permission.DOCS);
  }

  @Test
  void aTokenWithoutPoolsMayTouchAll() {
    Caller everywhere = new Caller("edge", "abcdefghij", Role.GATEWAY, Set.of());
    assertThat(Permissions.decide(everywhere, Permission.SESSION_CREATE, OTHERS, "edge"))
        .isEqualTo(new Decision.Allowed());
  }
}
