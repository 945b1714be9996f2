// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import cupbear.flysim.Viewers.Address;
import cupbear.flysim.Viewers.Launch;
import cupbear.flysim.Viewers.Mode;
import cupbear.flysim.viewer.ViewerSettings.Addressing;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who gets which address, with others on the same computer; and that all come back. */
class AddressesIT {

  private static final Launch NOW = new Launch(Duration.ZERO, Mode.READY);

  @ParameterizedTest
  @EnumSource(Addressing.class)
  void simulatorsSideBySideNeverShareAnAddress(Addressing addressing) throws Exception {
    ViewerSettings settings = ViewerSettings.standard().withAddressing(addressing);
    try (LoopbackViewers one = new LoopbackViewers(settings);
        LoopbackViewers other = new LoopbackViewers(settings)) {
      Set<Address> seen = new HashSet<>();
      for (int i = 0; i < 20; i++) {
        // Reserved in turn and started later: no socket yet tells the one of the other.
        assertThat(seen.add(one.reserve("m" + i).orElseThrow())).isTrue();
        assertThat(seen.add(other.reserve("m" + i).orElseThrow())).isTrue();
      }
      for (int i = 0; i < 20; i++) {
        Stage.await(one.start("m" + i, NOW));
        Stage.await(other.start("m" + i, NOW));
      }
    }
  }

  @Test
  void sameAddressUntilReleasedThenAnotherOne() throws Exception {
    try (Stage stage = Stage.standard().start(Mode.READY)) {
      assertThat(stage.viewers.reserve(Stage.MACHINE)).contains(stage.address);
      Stage.await(stage.viewers.release(Stage.MACHINE));
      assertThat(Peer.refused(stage.address.host(), stage.address.guacdPort())).isTrue();
      assertThat(stage.viewers.reserve(Stage.MACHINE).orElseThrow()).isNotEqualTo(stage.address);
    }
  }

  @Test
  void releasedAddressesComeBackWhenAllAreUsed() throws Exception {
    ViewerSettings ports = ViewerSettings.standard().withAddressing(Addressing.OWN_PORTS);
    try (AddressPlan plan = new AddressPlan(ports)) {
      Address first = plan.take().orElseThrow();
      int taken = 1;
      while (plan.take().isPresent()) {
        taken++;
      }
      assertThat(taken).isGreaterThan(1_000);
      plan.giveBack(first);
      assertThat(plan.take()).contains(first);
      assertThat(plan.take()).isEmpty();
    }
  }

  @Test
  void takenPortIsPassedOver() throws Exception {
    ViewerSettings ports = ViewerSettings.standard().withAddressing(Addressing.OWN_PORTS);
    try (LoopbackViewers viewers = new LoopbackViewers(ports)) {
      Address first = viewers.reserve("first").orElseThrow();
      int next = first.rdpPort() + 2;
      try (ServerSocket squatter = new ServerSocket(next, 1, InetAddress.getByName(first.host()))) {
        Address second = viewers.reserve("second").orElseThrow();
        assertThat(second.rdpPort()).isNotEqualTo(squatter.getLocalPort());
        Stage.await(viewers.start("second", NOW));
      }
    }
  }

  @Test
  void portTakenAfterTheReservationFailsTheStartAndSaysWhere() throws Exception {
    try (Stage stage = Stage.standard()) {
      InetAddress host = InetAddress.getByName(stage.address.host());
      try (ServerSocket squatter = new ServerSocket(stage.address.rdpPort(), 1, host)) {
        assertThatThrownBy(() -> stage.start(Mode.READY))
            .hasMessageContaining(stage.address.host() + ":" + squatter.getLocalPort());
        assertThat(Peer.refused(stage.address.host(), stage.address.guacdPort())).isTrue();
      }
      stage.start(Mode.READY);
    }
  }

  @Test
  void chosenPortsAreUsed() throws Exception {
    try (Stage stage = new Stage(ViewerSettings.standard().withPorts(14_822, 13_389))) {
      stage.start(Mode.READY);
      assertThat(stage.address.guacdPort()).isEqualTo(14_822);
      assertThat(stage.address.rdpPort()).isEqualTo(13_389);
      Peer.rdp(stage.address).close();
    }
  }

  @Test
  void closeGivesEverythingBackToTheNextOne() throws Exception {
    Address first;
    try (Stage stage = new Stage(ViewerSettings.standard().withPorts(24_822, 23_389))) {
      first = stage.start(Mode.READY).address;
    }
    assertThat(Peer.refused(first.host(), first.guacdPort())).isTrue();
    try (Stage stage = new Stage(ViewerSettings.standard().withPorts(24_822, 23_389))) {
      assertThat(stage.start(Mode.READY).address).isEqualTo(first);
    }
  }

  @Test
  void closedViewersSaySo() {
    Stage stage = Stage.standard();
    stage.close();
    assertThatThrownBy(() -> stage.start(Mode.READY)).hasMessageContaining("reserve");
  }

  @Test
  void unknownMachinesAreNoErrorExceptToStart() throws Exception {
    try (LoopbackViewers viewers = new LoopbackViewers(ViewerSettings.standard())) {
      Stage.await(viewers.pause("ghost"));
      Stage.await(viewers.stop("ghost"));
      Stage.await(viewers.release("ghost"));
      Stage.await(viewers.mode("ghost", Mode.HANG));
      assertThatThrownBy(() -> Stage.await(viewers.start("ghost", NOW)))
          .hasMessageContaining("reserve one first");
    }
  }
}
