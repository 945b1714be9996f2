// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.flysim.Viewers.Address;
import cupbear.flysim.Viewers.Launch;
import cupbear.flysim.Viewers.Mode;
import cupbear.flysim.viewer.ViewerSettings.Addressing;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A fleet in one process: all of it answers, on few threads and little memory. */
class ThousandViewersIT {

  private static final int MACHINES = 1_000;
  // Measured: 6 KiB each, 11 with what the first use loads. The bound catches a buffer or a TLS
  // context per Machine.
  private static final long HEAP_PER_MACHINE_MAX = 32 * 1024;
  private static final int THREADS_MAX = 2;
  // Every one answers guacd's question; TLS costs a signature, so a sample of them does it.
  private static final int TLS_EVERY = 20;

  @ParameterizedTest
  @EnumSource(Addressing.class)
  void allAnswerOnFewThreadsAndLittleMemory(Addressing addressing) throws Exception {
    long before = usedHeap();
    int threadsBefore = viewerThreads();
    List<Address> addresses = new ArrayList<>();
    try (LoopbackViewers viewers =
        new LoopbackViewers(ViewerSettings.standard().withAddressing(addressing))) {
      List<Future<Void>> started = new ArrayList<>();
      for (int i = 0; i < MACHINES; i++) {
        addresses.add(viewers.reserve("m" + i).orElseThrow());
        started.add(viewers.start("m" + i, new Launch(Duration.ZERO, Mode.READY)));
      }
      Stage.await(Future.all(started));
      assertThat(new HashSet<>(addresses)).hasSize(MACHINES);
      for (int i = 0; i < MACHINES; i++) {
        askGuacd(addresses.get(i));
        if (i % TLS_EVERY == 0) {
          askRdp(addresses.get(i));
        }
      }
      assertThat(viewerThreads() - threadsBefore).isLessThanOrEqualTo(THREADS_MAX);
      assertThat((usedHeap() - before) / MACHINES)
          .as("octets of heap per Machine")
          .isLessThan(HEAP_PER_MACHINE_MAX);
    }
    for (Address address : addresses) {
      assertThat(Peer.refused(address.host(), address.guacdPort())).isTrue();
      assertThat(Peer.refused(address.host(), address.rdpPort())).isTrue();
    }
  }

  private static void askGuacd(Address address) throws Exception {
    try (Peer peer = Peer.guacd(address)) {
      peer.send(Fixture.recording("guacd-ghost").get(0).octets());
      assertThat(peer.instruction()).isEqualTo("5.error,19.No such connection.,3.516;");
    }
  }

  private static void askRdp(Address address) throws Exception {
    try (Peer peer = Peer.rdp(address)) {
      for (Fixture pdu : Fixture.recording("xrdp10-req3")) {
        if (pdu.step() == 3) {
          peer.startTls();
        }
        if (pdu.fromClient()) {
          peer.send(pdu.octets());
        } else {
          assertThat(peer.hex(pdu.octets().length)).isEqualTo(pdu.hex());
        }
      }
    }
  }

  private static int viewerThreads() {
    return (int)
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().startsWith("viewers"))
            .count();
  }

  private static long usedHeap() {
    Runtime runtime = Runtime.getRuntime();
    System.gc();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
