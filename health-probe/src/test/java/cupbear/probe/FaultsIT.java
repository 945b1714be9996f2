// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.probe.FaultyServer.Behaviour;
import cupbear.probe.FaultyServer.Connection;
import cupbear.probe.ProbeResult.Closed;
import cupbear.probe.ProbeResult.Closed.How;
import cupbear.probe.ProbeResult.NegotiationFailure;
import cupbear.probe.ProbeResult.ProtocolError;
import cupbear.probe.ProbeResult.Ready;
import cupbear.probe.ProbeResult.ReadyNla;
import cupbear.probe.ProbeResult.Refused;
import cupbear.probe.ProbeResult.TimedOut;
import cupbear.probe.ProbeResult.TlsError;
import cupbear.probe.ProbeResult.TlsError.Kind;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Everything that servers have been seen to do wrong, over real sockets, and what the probe makes
 * of it. All rows run at the same time, since many of them are about waiting.
 */
class FaultsIT {

  // Rows that must not time out get more time than any machine needs; rows that must time out wait
  // this long in the step they are about.
  private static final Duration PLENTY = Duration.ofSeconds(40);
  private static final Duration SHORT = Duration.ofSeconds(3);
  private static final Deadlines GENEROUS =
      new Deadlines(PLENTY, PLENTY, PLENTY, PLENTY, PLENTY, Duration.ofMillis(500));
  private static final int SOME = -1;
  private static final Ready READY = new Ready(Depth.LOGIN, Selected.TLS, "TLSv1.3");

  private static final MultiThreadIoEventLoopGroup GROUP =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private static final List<AutoCloseable> SERVERS = new ArrayList<>();
  private static final List<Row> ROWS = new ArrayList<>();

  /** What a server does, what the probe must say, and what it did say. */
  record Row(
      String fault, ProbeResult expected, Deadlines deadlines, CompletableFuture<ProbeReport> got) {
    @Override
    public String toString() {
      return fault + ": " + expected.word();
    }
  }

  static List<Row> rows() {
    return ROWS;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void isClassified(Row row) throws Exception {
    ProbeReport report = row.got.get(2 * PLENTY.toSeconds(), TimeUnit.SECONDS);
    assertThat(countless(report.result(), row.expected)).isEqualTo(row.expected);
    assertThat(report.result().sentence()).isNotBlank().doesNotContain("\n");
    if (report.result() instanceof TimedOut timeout) {
      assertThat(timeout.limit()).isLessThanOrEqualTo(row.deadlines.total());
      assertThat(report.steps().getLast().step()).isEqualTo(timeout.step());
    }
  }

  /** How much a dripping server got out in time is the scheduler's business, not ours. */
  private static ProbeResult countless(ProbeResult got, ProbeResult expected) {
    return got instanceof TimedOut late && expected instanceof TimedOut row && row.seen() == SOME
        ? new TimedOut(late.step(), SOME, SOME, late.limit())
        : got;
  }

  @Test
  void noRowIsMissing() {
    assertThat(ROWS).hasSizeGreaterThanOrEqualTo(43);
  }

  @BeforeAll
  static void startAll() throws Exception {
    connecting();
    negotiating();
    answeringGarbage();
    securing();
    connectingMcs();
    loggingIn();
    askingGuacd();
  }

  @AfterAll
  static void stopAll() throws Exception {
    for (AutoCloseable server : SERVERS) server.close();
    GROUP.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
  }

  private static void connecting() throws Exception {
    rdp("port closed", FaultyServer.closedPort(), GENEROUS, new Refused());
    FaultyServer full = FaultyServer.full();
    SERVERS.add(full);
    Deadlines impatient =
        new Deadlines(SHORT, PLENTY, PLENTY, PLENTY, PLENTY, Duration.ofMillis(500));
    rdp("accept queue full", full.address(), impatient, timeout(ProbeStep.CONNECT, 0, 0));
    slow("accepts, says nothing", Connection::silence, timeout(ProbeStep.X224, 0, 4));
    fast(
        "closes with the rest of the request unread",
        c -> c.read(1).reset(),
        new Closed(ProbeStep.X224, How.RST));
    fast("reads the request, closes", c -> c.read(19), new Closed(ProbeStep.X224, How.FIN));
  }

  private static void answeringGarbage() throws Exception {
    ProbeResult notTpkt = error(ProbeStep.X224, Fault.NOT_TPKT, 0);
    fast("speaks HTTP", c -> c.say("HTTP/1.1 400 Bad Request\r\n\r\n"), notTpkt, true);
    fast("speaks SSH", c -> c.say("SSH-2.0-OpenSSH_9.2\r\n"), notTpkt, true);
    fast("sends a TLS alert", c -> c.send("15030300020250"), notTpkt, true);
    ProbeResult badLength = error(ProbeStep.X224, Fault.BAD_LENGTH, 0);
    fast("TPKT length 65535", c -> c.send("0300ffff"), badLength, true);
    fast("TPKT length 3", c -> c.send("03000003"), badLength, true);
    String part = FaultyServer.CONFIRM_TLS.substring(0, 18);
    fast("confirm cut short, closes", answer(part), error(ProbeStep.X224, Fault.TRUNCATED, 0));
    slow("confirm cut short, silence", thenSilence(answer(part)), timeout(ProbeStep.X224, 9, 19));
    slow("one octet per 200 ms", FaultsIT::drip, timeout(ProbeStep.X224, SOME, SOME));
    ProbeResult badTpdu = error(ProbeStep.X224, Fault.BAD_TPDU, 0);
    fast("length indicator wrong", answer("030000130dd000001234000201080001000000"), badTpdu);
    fast("disconnect request", answer("0300000b06800000123400"), badTpdu);
    fast("data instead of a confirm", answer("0300000b02f08002000003"), badTpdu);
  }

  private static void negotiating() throws Exception {
    slow("bare confirm, silence", thenSilence(answer("0300000b06d00000123400")), mcsTimeout());
    fast(
        "selects what was not offered",
        answer("030000130ed000001234000201080008000000"),
        error(ProbeStep.X224, Fault.UNOFFERED_PROTOCOL, 8));
    fast(
        "negotiation data of no known kind",
        answer("030000130ed000001234000701080001000000"),
        error(ProbeStep.X224, Fault.BAD_NEGOTIATION, 0));
    for (int code : new int[] {1, 2, 3, 4, 5, 6, 99}) {
      String failure = "030000130ed00000123400030008%s000000".formatted("00%02x".formatted(code));
      fast("declines with " + code, answer(failure), new NegotiationFailure(code));
    }
  }

  private static void securing() throws Exception {
    Behaviour confirm = answer(FaultyServer.CONFIRM_TLS);
    slow("TLS: silence", thenSilence(confirm), timeout(ProbeStep.TLS, 0, 0));
    fast("TLS: closes", readHello(c -> {}), new TlsError(Kind.CLOSED, 0));
    fast("TLS: resets", readHello(Connection::reset), new TlsError(Kind.CLOSED, 0));
    fast("TLS: garbage", readHello(c -> c.say("hello, hello, hello")), tls(Kind.NOT_TLS, 0));
    fast("TLS: alert 80", readHello(c -> c.send("15030300020250")), tls(Kind.ALERT, 80));
    fast("TLS: alert 70", readHello(c -> c.send("15030100020246")), tls(Kind.VERSION, 70));
    String hello11 = "160302002a" + "02000026" + "0302" + "11".repeat(32) + "00" + "c013" + "00";
    fast("TLS: only 1.1", readHello(c -> c.send(hello11)), tls(Kind.VERSION, 0));
    fast(
        "NLA: TLS completes",
        c -> {
          c.read(19).send(FaultyServer.CONFIRM_HYBRID);
          c.startTls();
          c.read(1);
        },
        new ReadyNla(false, Selected.HYBRID, "TLSv1.3"));
    Behaviour hybrid = answer(FaultyServer.CONFIRM_HYBRID);
    slow("NLA: TLS silent", thenSilence(hybrid), timeout(ProbeStep.TLS, 0, 0));
    pinned("shows another certificate", new CertificatePin("0".repeat(64)), tls(Kind.PIN, 0));
    pinned("shows the pinned certificate", FaultyServer.certificate(), READY);
  }

  private static void connectingMcs() throws Exception {
    String response = HexFormat.of().formatHex(Fixture.octets("xrdp10-req3", 4));
    slow("MCS: silence", c -> c.secured().silence(), mcsTimeout());
    fast("MCS: closes", Connection::secured, new Closed(ProbeStep.MCS, How.FIN));
    fast(
        "MCS: ultimatum",
        c -> c.secured().send("0300000902f0802180"),
        error(ProbeStep.MCS, Fault.MCS_DISCONNECT, 3));
    fast(
        "MCS: result 10",
        c -> c.secured().send(response.replace("0a0100", "0a010a")),
        error(ProbeStep.MCS, Fault.MCS_RESULT, 10));
    fast(
        "MCS: a block overruns its PDU",
        c -> c.secured().send(response.replace("020c0c00", "020cff00")),
        error(ProbeStep.MCS, Fault.BAD_BLOCK, 0));
    fast(
        "MCS: another offer is echoed",
        c -> c.secured().send(response.replace("0400080003000000", "0400080001000000")),
        error(ProbeStep.MCS, Fault.BAD_NEGOTIATION, 0));
    fast(
        "attach: result 13",
        c -> c.connected().send("0300000902f0802c0d"),
        error(ProbeStep.ATTACH, Fault.ATTACH_REFUSED, 13));
    fast(
        "join: result 3",
        c -> {
          c.connected().send("0300000b02f0802e000003");
          c.read(12).send("0300000d02f0803c03000303ec");
        },
        error(ProbeStep.JOIN_USER, Fault.JOIN_REFUSED, 3));
  }

  private static void loggingIn() throws Exception {
    fast(
        "licence error 1",
        c ->
            c.loggingIn()
                .send("0300002202f08068000303eb701480000000ff031000010000000200000004000000"),
        error(ProbeStep.LOGIN, Fault.LICENSE_ERROR, 1));
    fast(
        "Set Error Info",
        c ->
            c.loggingIn()
                .send("0300002402f08068000303eb7016160017000000ea030100000112002f00000007000000"),
        error(ProbeStep.LOGIN, Fault.ERROR_INFO, 7));
    slow("login: silence", c -> c.loggingIn().silence(), timeout(ProbeStep.LOGIN, 0, 4));
    slow(
        "valid client, then silence",
        c -> {
          c.loggingIn()
              .send("0300002202f08068000303eb701480020000ff031000070000000200000004000000");
          c.silence();
        },
        timeout(ProbeStep.DEMAND, 0, 4));
    fast("licence request", FaultsIT::licenseRequest, READY);
  }

  private static void askingGuacd() throws Exception {
    guacd("guacd: silence", Connection::silence, false, timeout(ProbeStep.SELECT, 0, 1));
    Behaviour hangsUp = c -> c.read(50);
    guacd("guacd: hangs up", hangsUp, false, new Closed(ProbeStep.SELECT, How.FIN));
    guacd("guacd: speaks HTTP", c -> c.say("HTTP/1.1 "), false, notGuacamole());
    guacd(
        "guacd up to 1.3: hangs up",
        hangsUp,
        true,
        new ProbeResult.GuacdReady(ProbeResult.GuacdReady.Proof.OLD_HANGS_UP));
    guacd("guacd up to 1.3: hangs", Connection::silence, true, timeout(ProbeStep.SELECT, 0, 1));
    guacd(
        "guacd: cut short",
        c -> c.read(50).say("5.error,19.No su"),
        true,
        error(ProbeStep.SELECT, Fault.TRUNCATED, 0));
    FaultyServer server = FaultyServer.start(Connection::silence);
    SERVERS.add(server);
    ProbeResult expected = timeout(ProbeStep.ARGS, 0, 1);
    Deadlines deadlines = shortly(expected);
    GuacdProbe probe = new GuacdProbe(GuacdSettings.standard().withDeadlines(deadlines));
    add(
        "guacd: RDP plugin missing, so it says nothing",
        expected,
        deadlines,
        probe.startPluginCheck(GROUP.next(), server.address()));
  }

  private static void drip(Connection connection) throws IOException, InterruptedException {
    connection.read(19);
    for (int i = 0; i < FaultyServer.CONFIRM_TLS.length(); i += 2) {
      connection.send(FaultyServer.CONFIRM_TLS.substring(i, i + 2));
      TimeUnit.MILLISECONDS.sleep(200);
    }
  }

  private static void licenseRequest(Connection connection) throws IOException {
    connection.loggingIn().send(HexFormat.of().formatHex(Fixture.octets("xrdp-req3", 12)));
    connection.read(9);
  }

  private static Behaviour answer(String hex) {
    return connection -> connection.read(19).send(hex);
  }

  private static Behaviour thenSilence(Behaviour first) {
    return connection -> {
      first.on(connection);
      connection.silence();
    };
  }

  /** Goes on once the ClientHello has begun to come. */
  private static Behaviour readHello(Behaviour then) {
    return connection -> {
      connection.read(19).send(FaultyServer.CONFIRM_TLS);
      connection.readHello();
      then.on(connection);
    };
  }

  private static TlsError tls(Kind kind, int alert) {
    return new TlsError(kind, alert);
  }

  private static ProbeResult error(ProbeStep step, Fault fault, long code) {
    return new ProtocolError(step, fault, code);
  }

  private static ProbeResult notGuacamole() {
    return error(ProbeStep.SELECT, Fault.NOT_GUACAMOLE, 0);
  }

  private static ProbeResult mcsTimeout() {
    return timeout(ProbeStep.MCS, 0, 4);
  }

  private static ProbeResult timeout(ProbeStep step, int seen, int wanted) {
    return new TimedOut(step, seen, wanted, SHORT);
  }

  /** Short in the kind of step that must time out, or a busy machine would end it elsewhere. */
  private static Deadlines shortly(ProbeResult expected) {
    ProbeStep step = ((TimedOut) expected).step();
    Duration answer = isAnswer(step) ? SHORT : PLENTY;
    Duration tls = step == ProbeStep.TLS ? SHORT : PLENTY;
    boolean exchange = !isAnswer(step) && step != ProbeStep.TLS;
    Duration later = exchange ? SHORT : PLENTY;
    return new Deadlines(PLENTY, answer, tls, later, PLENTY, Duration.ofMillis(500));
  }

  private static boolean isAnswer(ProbeStep step) {
    return step == ProbeStep.X224 || step == ProbeStep.SELECT || step == ProbeStep.ARGS;
  }

  private static void fast(String fault, Behaviour does, ProbeResult expected) throws Exception {
    serve(fault, does, GENEROUS, expected);
  }

  /** For servers that talk first: they wait for the probe's end, or a reset could come first. */
  private static void fast(String fault, Behaviour does, ProbeResult expected, boolean talksFirst)
      throws Exception {
    serve(fault, talksFirst ? thenSilence(does) : does, GENEROUS, expected);
  }

  private static void slow(String fault, Behaviour does, ProbeResult expected) throws Exception {
    serve(fault, does, shortly(expected), expected);
  }

  private static void serve(String fault, Behaviour does, Deadlines deadlines, ProbeResult expected)
      throws Exception {
    FaultyServer server = FaultyServer.start(does);
    SERVERS.add(server);
    rdp(fault, server.address(), deadlines, expected);
  }

  private static void rdp(
      String fault, InetSocketAddress to, Deadlines deadlines, ProbeResult expected) {
    RdpProbe probe = new RdpProbe(RdpSettings.standard().withDeadlines(deadlines));
    add(fault, expected, deadlines, probe.start(GROUP.next(), to));
  }

  private static void pinned(String fault, CertificatePin pin, ProbeResult expected)
      throws Exception {
    FaultyServer server = FaultyServer.start(FaultsIT::licenseRequest);
    SERVERS.add(server);
    RdpSettings settings = RdpSettings.standard().withDeadlines(GENEROUS).withPins(pin);
    add(fault, expected, GENEROUS, new RdpProbe(settings).start(GROUP.next(), server.address()));
  }

  private static void guacd(String fault, Behaviour does, boolean old, ProbeResult expected)
      throws Exception {
    FaultyServer server = FaultyServer.start(does);
    SERVERS.add(server);
    Deadlines deadlines = expected instanceof TimedOut ? shortly(expected) : GENEROUS;
    GuacdProbe probe = new GuacdProbe(new GuacdSettings(old, deadlines));
    add(fault, expected, deadlines, probe.start(GROUP.next(), server.address()));
  }

  private static void add(String fault, ProbeResult expected, Deadlines deadlines, ProbeRun run) {
    ROWS.add(new Row(fault, expected, deadlines, run.report().toCompletableFuture()));
  }
}
