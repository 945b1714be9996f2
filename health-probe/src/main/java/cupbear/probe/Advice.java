// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import cupbear.probe.ViewerReport.Part;

/** What a person can try after a probe, one sentence per ending. */
public final class Advice {

  private Advice() {}

  public static String next(ViewerReport report) {
    ViewerReport.Answer decisive = report.decisive();
    boolean rdp = decisive.part() == Part.RDP;
    return switch (decisive.report().result()) {
      case ProbeResult.GuacdReady ready -> healthy();
      case ProbeResult.Ready ready -> ready.downgraded() ? downgraded() : healthy();
      case ProbeResult.ReadyNla ready -> healthy() + "; guacd needs the security mode nla for it";
      case ProbeResult.Refused refused ->
          "see whether "
              + (rdp ? "xrdp" : "guacd")
              + " runs and on which address it listens:"
              + " it must be the 6PN one, not 127.0.0.1";
      case ProbeResult.Unreachable unreachable ->
          "probe another viewer: if that fails too, look at this host's private network first";
      case ProbeResult.TimedOut late -> late(late.step(), rdp);
      case ProbeResult.Closed closed ->
          "read the viewer's " + log(rdp) + " log at this minute: it hung up by itself";
      case ProbeResult.ProtocolError error -> error(error.fault(), rdp);
      case ProbeResult.NegotiationFailure failure -> declined(failure.code());
      case ProbeResult.TlsError error -> tls(error.kind());
      case ProbeResult.ProberError error -> ours(error.cause());
    };
  }

  private static String healthy() {
    return "nothing; if users still fail, look at xrdp-sesman and Xorg, which no probe sees";
  }

  private static String downgraded() {
    return "TLS was offered and not taken: see security_layer in xrdp.ini, and whether xrdp can"
        + " read its key";
  }

  private static String late(ProbeStep step, boolean rdp) {
    return switch (step) {
      case CONNECT ->
          "probe again: if it stays, the accept queue is full because the server hangs, or packets"
              + " are lost";
      case ARGS -> "see whether the image has guacd's RDP plugin (libguac-client-rdp)";
      case SELECT, X224, TLS, CREDSSP, MCS, ATTACH, JOIN_USER, JOIN_IO, LOGIN, DEMAND ->
          "the "
              + (rdp ? "RDP server" : "guacd")
              + " accepts but does not answer: look for a stopped or spinning process, CPU steal"
              + " and memory, then destroy the Machine";
    };
  }

  private static String error(Fault fault, boolean rdp) {
    return switch (fault) {
      case NOT_TPKT, NOT_GUACAMOLE ->
          "something else listens there: check --guacd-port and --rdp-port, then the image";
      case MCS_DISCONNECT ->
          "read the viewer's xrdp log; with require_credentials=true use --depth joins";
      case LICENSE_ERROR, ERROR_INFO -> "read the viewer's xrdp log: it refused the login request";
      case BAD_LENGTH,
          TRUNCATED,
          BAD_TPDU,
          BAD_NEGOTIATION,
          UNOFFERED_PROTOCOL,
          MCS_RESULT,
          BAD_BLOCK,
          ATTACH_REFUSED,
          JOIN_REFUSED,
          UNEXPECTED_PDU,
          NOT_CREDSSP,
          UNEXPECTED_INSTRUCTION ->
          "read the viewer's " + log(rdp) + " log; if the image is new, compare its version";
    };
  }

  private static String declined(long code) {
    if (code == 3) return "see whether xrdp can read certificate and key_file of its xrdp.ini";
    if (code == 4) return "this is a bug of Cupbear: report it with this output";
    return "the viewer's security settings do not fit: see security_layer in xrdp.ini";
  }

  private static String tls(ProbeResult.TlsError.Kind kind) {
    return switch (kind) {
      case PIN -> "find out who answers there: compare the certificate with the image's";
      case VERSION -> "allow TLS 1.2 or 1.3 on the viewer (ssl_protocols in xrdp.ini)";
      case CLOSED, ALERT, NOT_TLS, HANDSHAKE ->
          "read the viewer's xrdp log; compare certificate and key";
    };
  }

  private static String ours(ProbeResult.ProberError.Cause cause) {
    return switch (cause) {
      case LATE -> "this host is overloaded: probe from another one";
      case NO_DESCRIPTORS -> "raise the limit of open files here (ulimit -n)";
      case NO_PORT -> "too many connections leave this host: see ss -s";
      case NOT_ALLOWED -> "give the viewer's own address";
      case BUSY, OVERLOADED, CANCELLED, SHUT_DOWN -> "probe again";
      case INTERNAL -> "probe again; if it stays, report it with this output";
    };
  }

  private static String log(boolean rdp) {
    return rdp ? "xrdp" : "guacd";
  }
}
