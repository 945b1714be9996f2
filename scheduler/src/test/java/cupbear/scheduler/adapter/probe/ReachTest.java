// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cupbear.probe.TargetGuard;
import cupbear.scheduler.adapter.probe.Reach.Place;
import cupbear.scheduler.config.Settings.Environment;
import cupbear.scheduler.model.MachineId;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the prober may dial. */
class ReachTest {
  private static final Reach OURS = new Reach.SixPn(List.of("fdaa:9:d844::/48"));
  private static final MachineId MACHINE = new MachineId("3d8d413b29d089");

  @ParameterizedTest(name = "{0} port {1}: allowed {2}")
  @CsvSource({
    "fdaa:9:d844:a7b:1::2, 4822, true",
    "fdaa:9:d844:a7b:1::2, 3389, true",
    "fdaa:9:d844:a7b:1::2, 22, false",
    "fdaa:9:d845:a7b:1::2, 4822, false",
    "127.0.0.1, 4822, false",
    "fdaa:9:d844::3, 4822, false"
  })
  void ownNetworkAndTheTwoPorts(String address, int port, boolean allowed) {
    TargetGuard guard = OURS.guard(new Place(address, 4822, 3389));
    assertThat(guard.check(address, port) instanceof TargetGuard.Answer.Allowed).isEqualTo(allowed);
  }

  @Test
  @DisplayName("in production a Machine is dialled where it says it is")
  void noDetour() {
    Place told = new Place("fdaa:9:d844:a7b:1::2", 4822, 3389);
    assertThat(OURS.place(MACHINE, told)).isEqualTo(told);
  }

  @ParameterizedTest(name = "no prefix for production: {0}")
  @ValueSource(
      strings = {"::/0", "fdaa::/16", "fdaa:9::/32", "127.0.0.0/8", "2001:db8:1::/48", "x"})
  void tooWide(String prefix) {
    assertThatThrownBy(() -> new Reach.SixPn(List.of(prefix)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("fdaa:");
  }

  @Test
  void noPrefixAtAll() {
    assertThatThrownBy(() -> new Reach.SixPn(List.of()))
        .hasMessageContaining("give that of the app's network");
  }

  @ParameterizedTest(name = "viewers on this host are refused in {0}")
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DEMO")
  void loopbackIsForDemo(Environment environment) {
    assertThatThrownBy(() -> Reach.loopback(environment, Reach.Detour.NONE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("demo")
        .hasMessageContaining(environment.word());
  }

  @Test
  @DisplayName("in demo a detour leads to simulated Machines, and only on this host")
  void detour() {
    Reach reach =
        Reach.loopback(
            Environment.DEMO, (machine, told) -> new Place(told.address(), 16_386, 16_387));
    Place place = reach.place(MACHINE, new Place("127.0.0.1", 4822, 3389));
    assertThat(place).isEqualTo(new Place("127.0.0.1", 16_386, 16_387));
    TargetGuard guard = reach.guard(place);
    assertThat(guard.check("127.0.0.1", 16_386)).isInstanceOf(TargetGuard.Answer.Allowed.class);
    assertThat(guard.check("10.0.0.1", 16_386)).isInstanceOf(TargetGuard.Answer.Denied.class);
  }

  @ParameterizedTest(name = "{0} lies in {1}")
  @CsvSource({
    "fdaa:9:d844:a7b:e:33bd:e8b1:2, fdaa:9:d844::/48",
    "fdaa:0:18:a7b::2, fdaa:0:18::/48",
    "FDAA:0:0:1::2, fdaa:0:0::/48"
  })
  void prefixOfAnAddress(String address, String prefix) {
    assertThat(SixPnPrefix.of(address)).isEqualTo(prefix);
    assertThat(new Reach.SixPn(List.of(prefix)).prefixes()).containsExactly(prefix);
  }

  @ParameterizedTest(name = "''{0}'' tells no network")
  @ValueSource(
      strings = {"", "10.0.0.1", "2001:db8::1", "::ffff:1.2.3.4", "fdaa:zz::1", "localhost"})
  void noSixPnAddress(String address) {
    assertThatThrownBy(() -> SixPnPrefix.of(address))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("FLY_PRIVATE_IP");
  }
}
