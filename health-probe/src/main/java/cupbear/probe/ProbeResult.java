// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import java.time.Duration;

/**
 * How a probe ended. Every ending is one of these; a probe never throws. What each means for the
 * Machine is its {@link #weight()}.
 */
public sealed interface ProbeResult {

  /** The name in JSON, metrics and logs; a fixed set, safe as a label. */
  String word();

  Weight weight();

  /** What happened, in one line for a person. Holds nothing that the server wrote. */
  String sentence();

  /** guacd answered. */
  record GuacdReady(Proof proof) implements ProbeResult {

    /** What it answered with. */
    public enum Proof {
      NO_SUCH_CONNECTION("guacd answered: it knows no such connection, as it should"),
      OLD_HANGS_UP("guacd hung up at once, as versions up to 1.3 do; accepted by configuration"),
      RDP_PLUGIN("guacd loaded its RDP plugin and named its arguments");

      private final String words;

      Proof(String words) {
        this.words = words;
      }
    }

    @Override
    public String word() {
      return "READY";
    }

    @Override
    public Weight weight() {
      return Weight.HEALTHY;
    }

    @Override
    public String sentence() {
      return proof.words;
    }
  }

  /**
   * The RDP server answered.
   *
   * @param depth how far the probe really went
   * @param tls the TLS version, or {@code none}
   */
  record Ready(Depth depth, Selected selected, String tls) implements ProbeResult {

    /** Standard RDP security where TLS was offered: alive, but policy may want otherwise. */
    public boolean downgraded() {
      return selected.downgraded();
    }

    @Override
    public String word() {
      return "READY";
    }

    @Override
    public Weight weight() {
      return Weight.HEALTHY;
    }

    @Override
    public String sentence() {
      String how =
          switch (depth) {
            case NEGOTIATE -> "RDP negotiated";
            case TLS -> "RDP negotiated and completed TLS";
            case JOINS -> "RDP connected and joined its channels";
            case LOGIN -> "RDP answered an empty login request";
          };
      return downgraded() ? how + ", with standard security instead of TLS" : how;
    }
  }

  /**
   * The RDP server wants network level authentication and got as far as one gets without.
   *
   * @param challenged whether it also sent its CredSSP challenge
   */
  record ReadyNla(boolean challenged, Selected selected, String tls) implements ProbeResult {
    @Override
    public String word() {
      return "READY_NLA";
    }

    @Override
    public Weight weight() {
      return Weight.HEALTHY;
    }

    @Override
    public String sentence() {
      return challenged
          ? "RDP wants network level authentication and sent its challenge"
          : "RDP wants network level authentication and completed TLS";
    }
  }

  /** Nothing listens. */
  record Refused() implements ProbeResult {
    @Override
    public String word() {
      return "REFUSED";
    }

    @Override
    public Weight weight() {
      return Weight.STRIKE;
    }

    @Override
    public String sentence() {
      return "the Machine refused the connection: nothing listens on that port";
    }
  }

  /** There is no way to the address. */
  record Unreachable() implements ProbeResult {
    @Override
    public String word() {
      return "UNREACHABLE";
    }

    @Override
    public Weight weight() {
      return Weight.STRIKE;
    }

    @Override
    public String sentence() {
      return "there is no route to the Machine";
    }
  }

  /**
   * A deadline passed.
   *
   * @param seen octets of an unfinished answer
   * @param wanted octets the answer needs, as far as known; 0 when unknown
   * @param limit the deadline that passed
   */
  record TimedOut(ProbeStep step, int seen, int wanted, Duration limit) implements ProbeResult {
    @Override
    public String word() {
      return "TIMEOUT";
    }

    @Override
    public Weight weight() {
      return Weight.STRIKE;
    }

    @Override
    public String sentence() {
      String what = "no end of " + step.awaited() + " within " + limit.toMillis() + " ms";
      return switch (step) {
        case CONNECT -> what + ": backlog full, or packets are lost";
        case ARGS -> what + ": the RDP plugin is missing, or guacd hangs";
        case SELECT, X224 ->
            seen == 0 ? what + ": it accepts and says nothing, so it hangs" : what + fragment();
        case TLS, CREDSSP, MCS, ATTACH, JOIN_USER, JOIN_IO, LOGIN, DEMAND -> what + fragment();
      };
    }

    private String fragment() {
      return seen == 0 ? "" : " (" + seen + " octets came)";
    }
  }

  /** The server went away between two PDUs. */
  record Closed(ProbeStep step, How how) implements ProbeResult {

    /** How a TCP connection ends. */
    public enum How {
      FIN,
      RST
    }

    @Override
    public String word() {
      return "CLOSED";
    }

    @Override
    public Weight weight() {
      return Weight.STRIKE;
    }

    @Override
    public String sentence() {
      String verb = how == How.FIN ? "hung up" : "reset the connection";
      return "the server " + verb + " instead of sending " + step.awaited();
    }
  }

  /**
   * Octets came, and they were wrong.
   *
   * @param code what the server gave as number, where {@link Fault} has one; else 0
   */
  record ProtocolError(ProbeStep step, Fault fault, long code) implements ProbeResult {
    @Override
    public String word() {
      return "PROTOCOL_ERROR";
    }

    @Override
    public Weight weight() {
      return Weight.STRIKE;
    }

    @Override
    public String sentence() {
      String what = fault.hasCode() ? fault.words() + " " + code : fault.words();
      return what + ", instead of " + step.awaited();
    }
  }

  /** The server declined all protocols that were offered. */
  record NegotiationFailure(long code) implements ProbeResult {
    @Override
    public String word() {
      return "NEG_FAILURE";
    }

    @Override
    public Weight weight() {
      if (code == 3) return Weight.STRIKE;
      return code == 4 ? Weight.NEVER : Weight.ALERT;
    }

    @Override
    public String sentence() {
      if (code == 1) return "the server wants TLS, which was not offered (failure 1)";
      if (code == 2) return "the server allows standard security only (failure 2)";
      if (code == 3) return "the server cannot read its certificate or key (failure 3)";
      if (code == 4) return "the server calls our request inconsistent (failure 4)";
      if (code == 5) return "the server wants network level authentication (failure 5)";
      if (code == 6) return "the server wants a client certificate (failure 6)";
      return "the server declined with an unknown failure, " + code;
    }
  }

  /**
   * The TLS handshake failed.
   *
   * @param alert the alert's number; 0 when there was none
   */
  record TlsError(Kind kind, int alert) implements ProbeResult {

    /** What ended the handshake. */
    public enum Kind {
      CLOSED("the server hung up during the TLS handshake"),
      ALERT("the server ended the TLS handshake with an alert"),
      NOT_TLS("the server answered TLS with something else"),
      VERSION("the server speaks only TLS versions that are no longer safe"),
      HANDSHAKE("the server's half of the TLS handshake is not acceptable"),
      PIN("the server shows another certificate than the pinned one");

      private final String words;

      Kind(String words) {
        this.words = words;
      }
    }

    @Override
    public String word() {
      return "TLS_ERROR";
    }

    @Override
    public Weight weight() {
      return kind == Kind.PIN ? Weight.ALERT : Weight.STRIKE;
    }

    @Override
    public String sentence() {
      return alert == 0 ? kind.words : kind.words + " (alert " + alert + ")";
    }
  }

  /**
   * The probe could not be made, or not in time, for a reason on our side.
   *
   * @param detail more words, ours
   */
  record ProberError(Cause cause, String detail) implements ProbeResult {

    /** What was missing here. */
    public enum Cause {
      LATE("this prober is overloaded: its event loop is behind by more than a deadline"),
      NO_DESCRIPTORS("this prober has no file descriptor left"),
      NO_PORT("this prober has no local port or address left to connect from"),
      BUSY("a probe of this Machine is already under way"),
      OVERLOADED("too many probes are waiting"),
      NOT_ALLOWED("this prober may not dial that address"),
      CANCELLED("the probe was cancelled"),
      SHUT_DOWN("this prober has been shut down"),
      INTERNAL("this prober failed by itself");

      private final String words;

      Cause(String words) {
        this.words = words;
      }
    }

    @Override
    public String word() {
      return "PROBER_ERROR";
    }

    @Override
    public Weight weight() {
      return Weight.NEVER;
    }

    @Override
    public String sentence() {
      return detail.isEmpty() ? cause.words : cause.words + ": " + detail;
    }
  }
}
