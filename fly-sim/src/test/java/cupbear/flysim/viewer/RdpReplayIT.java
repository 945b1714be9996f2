// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.flysim.Viewers.Mode;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plays the client's half of recordings of real servers and expects the server's half. */
class RdpReplayIT {

  private static final String ULTIMATUM = "0300000902f0802180";
  private static final String NEG_RSP_TLS = "01080001000000";

  @ParameterizedTest(name = "{0}: {2}")
  @CsvSource({
    "xrdp10-req3, NEGOTIATE, 'TLS, login request, licence, Demand Active', 13",
    "xrdp10-req3, TLS_ONLY, TLS is also what a TLS-only server selects, 13",
    "xrdp-tls-1chan, NEGOTIATE, 'one static channel: padding, user channel 1005', 12",
    "xrdp-stdnone, NEGOTIATE, standard security without encryption, 10",
    "xrdp-layer-rdp-req3, STANDARD_ONLY, selects 0 although TLS was offered, 2",
    "xrdp-layer-tls-req0, TLS_ONLY, failure 1, 2",
    "xrdp-layer-tls-noneg, TLS_ONLY, 'bare confirm, then an ultimatum', 3",
    "xrdp-nocert-req3, BROKEN_CERTIFICATE, failure 3, 2",
    "xrdp-cookie-x224, NEGOTIATE, a cookie is skipped, 2",
    "xrdp10-unknown-protocol-bit, NEGOTIATE, ultimatum instead of a confirm, 2",
    "shadow-nla-req1, NLA_ONLY, failure 5, 2",
    "shadow-nla-req3, NLA_ONLY, selects HYBRID, 2",
  })
  void answersAsRecorded(String label, RdpSecurity security, String what, int last)
      throws Exception {
    ViewerSettings settings = ViewerSettings.standard().withRdpSecurity(security);
    try (Stage stage = new Stage(settings).start(Mode.READY);
        Peer peer = Peer.rdp(stage.address)) {
      for (Fixture pdu : Fixture.recording(label)) {
        if (pdu.step() > last) {
          break;
        }
        if (pdu.fromClient()) {
          peer.send(pdu.octets());
          continue;
        }
        assertThat(peer.hex(pdu.octets().length)).as(pdu.what()).isEqualTo(pdu.hex());
        if (pdu.hex().endsWith(NEG_RSP_TLS) && last > pdu.step()) {
          peer.startTls();
        }
      }
    }
  }

  @Test
  void answersThePolitePartingInKind() throws Exception {
    try (Stage stage = Stage.standard().start(Mode.READY);
        Peer peer = Peer.rdp(stage.address)) {
      login(peer);
      peer.send(Fixture.recording("xrdp10-req3").getLast().octets());
      assertThat(peer.hex(ULTIMATUM.length() / 2)).isEqualTo(ULTIMATUM);
      assertThat(peer.atEnd()).isTrue();
    }
  }

  @Test
  void pipelinedJoinsAndLoginAreAnsweredInOrder() throws Exception {
    try (Stage stage = Stage.standard().start(Mode.READY);
        Peer peer = Peer.rdp(stage.address)) {
      negotiate(peer);
      for (Fixture pdu : Fixture.recording("xrdp10-req3")) {
        if (pdu.fromClient() && pdu.step() > 1 && pdu.step() <= 11) {
          peer.send(pdu.octets());
        }
      }
      for (Fixture pdu : Fixture.recording("xrdp10-req3")) {
        if (!pdu.fromClient() && pdu.step() > 2) {
          assertThat(peer.hex(pdu.octets().length)).as(pdu.what()).isEqualTo(pdu.hex());
        }
      }
    }
  }

  @Test
  void loginBeforeAllJoinsIsRefused() throws Exception {
    try (Stage stage = Stage.standard().start(Mode.READY);
        Peer peer = Peer.rdp(stage.address)) {
      negotiate(peer);
      for (int step : new int[] {3, 5, 11}) {
        peer.send(Fixture.recording("xrdp10-req3").get(step - 1).octets());
      }
      peer.hex(octets(4) + octets(6));
      assertThat(peer.hex(ULTIMATUM.length() / 2)).isEqualTo(ULTIMATUM);
      assertThat(peer.atEnd()).isTrue();
    }
  }

  @Test
  void unknownChannelIsRefused() throws Exception {
    try (Stage stage = Stage.standard().start(Mode.READY);
        Peer peer = Peer.rdp(stage.address)) {
      negotiate(peer);
      for (int step : new int[] {3, 5}) {
        peer.send(Fixture.recording("xrdp10-req3").get(step - 1).octets());
      }
      peer.hex(octets(4) + octets(6));
      peer.send(HexFormat.of().parseHex("0300000c02f08038000303ff"));
      assertThat(peer.hex(13)).isEqualTo("0300000d02f0803c03000303ff");
    }
  }

  @Test
  void cleartextInsteadOfTlsGetsAnAlertAndACleartextUltimatum() throws Exception {
    try (Stage stage = Stage.standard().start(Mode.READY);
        Peer peer = Peer.rdp(stage.address)) {
      peer.send(Fixture.recording("xrdp-cookie-x224").get(0).octets());
      peer.hex(Fixture.hex("xrdp-cookie-x224", 2).length() / 2);
      peer.say("GET / HTTP/1.1\r\n");
      String expected = Fixture.hex("xrdp-cookie-x224", 3);
      assertThat(peer.hex(expected.length() / 2)).isEqualTo(expected);
      assertThat(peer.atEnd()).isTrue();
    }
  }

  @Test
  void whatIsNoRdpIsHungUpOn() throws Exception {
    try (Stage stage = Stage.standard().start(Mode.READY);
        Peer peer = Peer.rdp(stage.address)) {
      peer.say("G");
      assertThat(peer.atEnd()).isTrue();
    }
  }

  @Test
  void challengesNtlmLikeTheRecordedServerExceptNonceAndTime() throws Exception {
    ViewerSettings settings = ViewerSettings.standard().withRdpSecurity(RdpSecurity.NLA_ONLY);
    try (Stage stage = new Stage(settings).start(Mode.READY);
        Peer peer = Peer.rdp(stage.address)) {
      var recording = Fixture.recording("shadow-nla-req3");
      peer.send(recording.get(0).octets());
      peer.hex(recording.get(1).octets().length);
      peer.startTls();
      peer.send(recording.get(2).octets());
      String expected = recording.get(3).hex();
      String challenge = peer.hex(expected.length() / 2);
      assertThat(constantPart(challenge)).isEqualTo(constantPart(expected));
      assertThat(challenge).isNotEqualTo(expected);
    }
  }

  @Test
  void allMachinesShareOneCertificateSignedByItself() throws Exception {
    try (Stage stage = Stage.standard().start(Mode.READY);
        Peer one = Peer.rdp(stage.address);
        Peer other = Peer.rdp(stage.address)) {
      X509Certificate certificate = negotiate(one);
      certificate.verify(certificate.getPublicKey());
      certificate.checkValidity();
      assertThat(negotiate(other)).isEqualTo(certificate);
    }
  }

  private static X509Certificate negotiate(Peer peer) throws Exception {
    peer.send(Fixture.recording("xrdp10-req3").get(0).octets());
    peer.hex(octets(2));
    return peer.startTls();
  }

  private static void login(Peer peer) throws Exception {
    negotiate(peer);
    for (Fixture pdu : Fixture.recording("xrdp10-req3")) {
      if (pdu.step() > 2 && pdu.step() < 14) {
        if (pdu.fromClient()) {
          peer.send(pdu.octets());
        } else {
          peer.hex(pdu.octets().length);
        }
      }
    }
  }

  private static int octets(int step) {
    return Fixture.hex("xrdp10-req3", step).length() / 2;
  }

  /** Nonce at 42, time stamp at 114, client nonce at the end. */
  private static String constantPart(String hex) {
    return hex.substring(0, 84) + hex.substring(100, 228) + hex.substring(244, 260);
  }
}
