// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.probe.ProbeResult.GuacdReady;
import cupbear.probe.ProbeResult.GuacdReady.Proof;
import cupbear.probe.ProbeResult.NegotiationFailure;
import cupbear.probe.ProbeResult.ProtocolError;
import cupbear.probe.ProbeResult.Ready;
import cupbear.probe.ProbeResult.ReadyNla;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Recordings of real servers, played to the probe: what it sends must be the recorded client's
 * octets, what it makes of the answers must be right.
 */
class RecordingsTest {

  private static final RdpSettings STANDARD = RdpSettings.standard();
  private static final String ULTIMATUM = "0300000902f0802180";

  static List<Arguments> bothDirections() {
    Ready login = new Ready(Depth.LOGIN, Selected.TLS, Player.TLS);
    Ready joins = new Ready(Depth.JOINS, Selected.STANDARD, "none");
    RdpSettings tls = STANDARD.withOffer(RdpOffer.TLS);
    RdpSettings none = STANDARD.withOffer(RdpOffer.STANDARD);
    return List.of(
        Arguments.of("xrdp-req3", "xrdp 0.9: licence request", STANDARD, login),
        Arguments.of("xrdp-tls", "xrdp 0.9, TLS only offered", tls, login),
        Arguments.of("xrdp10-req3", "xrdp 0.10: valid client, Demand Active", STANDARD, login),
        Arguments.of("shadow-req3", "FreeRDP: the same in other length forms", STANDARD, login),
        Arguments.of("shadow-tls", "FreeRDP, TLS only offered", tls, login),
        Arguments.of("xrdp-std128", "xrdp 0.9, standard security", none, joins),
        Arguments.of("xrdp-stdnone", "xrdp 0.9, standard, no encryption", none, joins),
        Arguments.of("xrdp10-std128", "xrdp 0.10, standard security", none, joins),
        Arguments.of("shadow-rdp", "FreeRDP, standard security", none, joins),
        Arguments.of(
            "shadow-nla-req3",
            "FreeRDP, NLA only: challenge",
            STANDARD.withChallenge(true),
            new ReadyNla(true, Selected.HYBRID, Player.TLS)),
        Arguments.of("shadow-nla-req1", "FreeRDP, NLA only", tls, new NegotiationFailure(5)),
        Arguments.of("xrdp-layer-tls-req0", "xrdp, TLS only", none, new NegotiationFailure(1)),
        Arguments.of("xrdp-nocert-req3", "xrdp, no key", STANDARD, new NegotiationFailure(3)));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("bothDirections")
  void saysWhatTheRecordedClientSaidAndUnderstandsTheServer(
      String label, String what, RdpSettings settings, ProbeResult expected) {
    Player player = new Player(new RdpConversation(settings));
    int compared = 0;
    for (Fixture pdu : Fixture.recording(label)) {
      if (player.ended()) break;
      if (pdu.fromClient()) {
        assertThat(player.said).as(pdu.name()).element(compared++).isEqualTo(pdu.hex());
      } else {
        player.hear(pdu.octets());
      }
    }
    assertThat(player.result()).isEqualTo(expected);
    assertThat(player.said).as("nothing is said that was not recorded").hasSize(compared);
    boolean connected = expected instanceof Ready;
    assertThat(player.goodbye()).isEqualTo(connected ? ULTIMATUM : "");
  }

  @Test
  void partsWithTheRecordedUltimatum() {
    assertThat(Fixture.recording("xrdp-req3").getLast().hex()).isEqualTo(ULTIMATUM);
  }

  static List<Arguments> serversOnly() {
    return List.of(
        Arguments.of(
            "xrdp-tls-1chan",
            "a static channel: padding, other user channel; a third join is for others",
            STANDARD.withOffer(RdpOffer.TLS),
            new ProtocolError(ProbeStep.LOGIN, Fault.UNEXPECTED_PDU, 0)),
        Arguments.of(
            "xrdp-layer-tls-noneg",
            "bare confirm, then an ultimatum: refusal dressed as success",
            STANDARD,
            new ProtocolError(ProbeStep.MCS, Fault.MCS_DISCONNECT, 3)),
        Arguments.of(
            "xrdp10-unknown-protocol-bit",
            "an ultimatum in place of the confirm",
            STANDARD,
            new ProtocolError(ProbeStep.X224, Fault.MCS_DISCONNECT, 3)));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("serversOnly")
  void understandsServersThatTalkedToAnotherClient(
      String label, String what, RdpSettings settings, ProbeResult expected) {
    Player player = new Player(new RdpConversation(settings));
    Fixture.recording(label).stream()
        .filter(pdu -> !pdu.fromClient())
        .forEach(pdu -> player.hear(pdu.octets()));
    assertThat(player.result()).isEqualTo(expected);
  }

  @Test
  void takesTheUserChannelFromTheServer() {
    RdpSettings settings = STANDARD.withOffer(RdpOffer.TLS);
    Player player = new Player(new RdpConversation(settings));
    for (int step : new int[] {2, 4, 6, 8}) player.hear(Fixture.octets("xrdp-tls-1chan", step));
    assertThat(player.said.subList(3, 5))
        .containsExactly("0300000c02f08038000403ed", "0300000c02f08038000403eb");
  }

  @Test
  void goesOnToTheJoinsWhenTlsWasOfferedAndStandardSecuritySelected() {
    Player player = new Player(new RdpConversation(STANDARD));
    player.hear(Fixture.octets("xrdp-layer-rdp-req3", 2));
    assertThat(player.said.getFirst())
        .isEqualTo(Fixture.recording("xrdp-layer-rdp-req3").getFirst().hex());
    assertThat(player.said.getLast()).isEqualTo(Fixture.recording("xrdp-std128").get(2).hex());
    assertThat(player.step()).isEqualTo(ProbeStep.MCS);
  }

  @Test
  void depthsEndWhereTheySay() {
    byte[] confirm = Fixture.octets("xrdp-req3", 2);
    Player negotiate = new Player(new RdpConversation(STANDARD.withDepth(Depth.NEGOTIATE)));
    negotiate.hear(confirm);
    assertThat(negotiate.result()).isEqualTo(new Ready(Depth.NEGOTIATE, Selected.TLS, "none"));
    Player tls = new Player(new RdpConversation(STANDARD.withDepth(Depth.TLS)));
    tls.hear(confirm);
    assertThat(tls.result()).isEqualTo(new Ready(Depth.TLS, Selected.TLS, Player.TLS));
    Player joins = new Player(new RdpConversation(STANDARD.withDepth(Depth.JOINS)));
    for (int step : new int[] {2, 4, 6, 8, 10}) joins.hear(Fixture.octets("xrdp-req3", step));
    assertThat(joins.result()).isEqualTo(new Ready(Depth.JOINS, Selected.TLS, Player.TLS));
    assertThat(joins.said).hasSize(5);
  }

  @Test
  void stopsAtTlsOnWindows() {
    byte[] windows = Fixture.octets("xrdp-req3", 2);
    windows[12] = 0x1F;
    Ready atTls = new Ready(Depth.TLS, Selected.TLS, Player.TLS);
    Player auto = new Player(new RdpConversation(STANDARD));
    auto.hear(windows);
    assertThat(auto.result()).isEqualTo(atTls);
    Player told = new Player(new RdpConversation(STANDARD.withHost(RdpSettings.Host.WINDOWS)));
    told.hear(Fixture.octets("xrdp-req3", 2));
    assertThat(told.result()).isEqualTo(atTls);
    Player xrdp = new Player(new RdpConversation(STANDARD.withHost(RdpSettings.Host.XRDP)));
    xrdp.hear(windows);
    assertThat(xrdp.step()).isEqualTo(ProbeStep.MCS);
  }

  @Test
  void guacdKnowsNoGhost() {
    Player player = guacd(GuacdConversation.Question.GHOST);
    assertThat(player.said).containsExactly(Fixture.recording("guacd-ghost").getFirst().hex());
    player.hear(Fixture.octets("guacd-ghost", 2));
    assertThat(player.result()).isEqualTo(new GuacdReady(Proof.NO_SUCH_CONNECTION));
    assertThat(player.goodbye()).isEmpty();
  }

  @Test
  void guacdHasTheRdpPluginAndItsChildIsEnded() {
    Player player = guacd(GuacdConversation.Question.PLUGIN);
    assertThat(player.said).containsExactly(Fixture.recording("guacd-args-rdp").getFirst().hex());
    player.hear(Fixture.octets("guacd-args-rdp", 2));
    assertThat(player.result()).isEqualTo(new GuacdReady(Proof.RDP_PLUGIN));
    assertThat(new String(HexFormat.of().parseHex(player.goodbye()), StandardCharsets.UTF_8))
        .isEqualTo("7.connect;");
  }

  @Test
  void otherAnswersOfGuacdAreNotTakenForReady() {
    Player other = guacd(GuacdConversation.Question.GHOST);
    other.hear("5.error,4.Oops,3.512;".getBytes(StandardCharsets.UTF_8));
    assertThat(other.result())
        .isEqualTo(new ProtocolError(ProbeStep.SELECT, Fault.UNEXPECTED_INSTRUCTION, 512));
    Player echo = guacd(GuacdConversation.Question.GHOST);
    echo.hear(Fixture.octets("guacd-ghost", 1));
    assertThat(echo.result().weight()).isEqualTo(Weight.STRIKE);
    Player ssh = guacd(GuacdConversation.Question.PLUGIN);
    ssh.hear("SSH-2.0-OpenSSH".getBytes(StandardCharsets.UTF_8));
    assertThat(ssh.result()).isEqualTo(new ProtocolError(ProbeStep.ARGS, Fault.NOT_GUACAMOLE, 0));
  }

  private static Player guacd(GuacdConversation.Question question) {
    return new Player(new GuacdConversation(question, false));
  }
}
