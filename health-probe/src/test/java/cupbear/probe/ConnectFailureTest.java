// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.probe.ProbeResult.ProberError;
import cupbear.probe.ProbeResult.ProberError.Cause;
import cupbear.probe.ProbeResult.Refused;
import cupbear.probe.ProbeResult.TimedOut;
import cupbear.probe.ProbeResult.Unreachable;
import io.netty.channel.ChannelException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ConnectFailureTest {

  private static final Duration LIMIT = Duration.ofMillis(1500);

  static List<Arguments> failures() {
    return List.of(
        Arguments.of(new ConnectException("Connection refused"), new Refused()),
        Arguments.of(new NoRouteToHostException("No route to host"), new Unreachable()),
        Arguments.of(new SocketException("Network is unreachable"), new Unreachable()),
        Arguments.of(
            new ConnectException("Connection timed out"),
            new TimedOut(ProbeStep.CONNECT, 0, 0, LIMIT)),
        Arguments.of(
            new ChannelException("Failed to open", new IOException("Too many open files")),
            new ProberError(Cause.NO_DESCRIPTORS, "")),
        Arguments.of(
            new BindException("Cannot assign requested address"),
            new ProberError(Cause.NO_PORT, "")),
        Arguments.of(
            new SocketException("Operation not permitted"),
            new ProberError(Cause.INTERNAL, "SocketException")),
        Arguments.of(
            new IllegalStateException("a bug"),
            new ProberError(Cause.INTERNAL, "IllegalStateException")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("failures")
  void onlyWhatTheNetworkSaidOfTheMachineIsHeldAgainstIt(Throwable failure, ProbeResult expected) {
    assertThat(ConnectFailure.classify(failure, LIMIT)).isEqualTo(expected);
  }
}
