// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * A viewer runs foreign code, so what comes from it is hostile. Recordings, damaged at random but
 * by seed, in random pieces: nothing may be thrown, nothing may pile up, everything must come to a
 * verdict or to waiting for a bounded number of octets.
 */
class FuzzTest {

  private static final int INPUTS = 120_000;
  private static final long SEED = 20261118;

  /** A recording's server side and what to play it to. */
  private record Script(Supplier<Conversation> talk, List<byte[]> answers) {}

  @Test
  void noMutationOfARecordingGetsOutOfHand() {
    List<Script> scripts = scripts();
    Random random = new Random(SEED);
    Set<Fault> met = EnumSet.noneOf(Fault.class);
    int ready = 0;
    int unfinished = 0;
    for (int i = 0; i < INPUTS; i++) {
      Script script = scripts.get(random.nextInt(scripts.size()));
      Player player = play(script, random);
      if (!player.ended()) {
        unfinished++;
        assertThat(player.unreadOctets())
            .as("input %d", i)
            .isLessThanOrEqualTo(Framing.FRAME_MAX + 4);
        continue;
      }
      ProbeResult result = player.result();
      assertThat(result.sentence()).as("input %d", i).isNotBlank();
      if (result instanceof ProbeResult.ProtocolError error) met.add(error.fault());
      if (result.weight() == Weight.HEALTHY) ready++;
    }
    // The damage must reach every decoder, and must not be so heavy that nothing gets through.
    assertThat(met).containsAll(EnumSet.complementOf(EnumSet.of(Fault.TRUNCATED)));
    assertThat(ready).isBetween(INPUTS / 100, INPUTS - INPUTS / 10);
    assertThat(unfinished).isLessThan(INPUTS / 2);
  }

  private static Player play(Script script, Random random) {
    Player player = new Player(script.talk.get());
    int damaged = random.nextInt(script.answers.size());
    for (int i = 0; i < script.answers.size() && !player.ended(); i++) {
      byte[] octets = script.answers.get(i);
      byte[] sent = i == damaged ? damage(octets, random) : octets;
      int cut = sent.length == 0 ? 0 : random.nextInt(sent.length);
      player.hear(Arrays.copyOfRange(sent, 0, cut));
      player.hear(Arrays.copyOfRange(sent, cut, sent.length));
    }
    return player;
  }

  private static byte[] damage(byte[] octets, Random random) {
    byte[] out = octets.clone();
    int kind = random.nextInt(6);
    if (kind == 0) return Arrays.copyOf(out, random.nextInt(out.length + 1));
    if (kind == 1) {
      byte[] noise = new byte[random.nextInt(64)];
      random.nextBytes(noise);
      return noise;
    }
    if (kind == 2) {
      byte[] longer = Arrays.copyOf(out, out.length + random.nextInt(32));
      return longer;
    }
    int flips = kind == 3 ? 1 : 1 + random.nextInt(8);
    for (int i = 0; i < flips; i++) {
      int at = kind == 5 ? random.nextInt(Math.min(24, out.length)) : random.nextInt(out.length);
      out[at] = kind == 4 ? interesting(random) : (byte) (out[at] ^ 1 << random.nextInt(8));
    }
    return out;
  }

  private static byte interesting(Random random) {
    int[] values = {0, 1, 2, 3, 7, 0x20, 0x2F, 0x7F, 0x80, 0x81, 0x82, 0xF0, 0xFF, '0', '.', ';'};
    return (byte) values[random.nextInt(values.length)];
  }

  private static List<Script> scripts() {
    RdpSettings challenge = RdpSettings.standard().withChallenge(true);
    RdpSettings none = challenge.withOffer(RdpOffer.STANDARD);
    List<Script> scripts = new ArrayList<>();
    for (String label :
        List.of("xrdp-req3", "xrdp10-req3", "shadow-req3", "shadow-nla-req3", "xrdp-nocert-req3")) {
      scripts.add(new Script(() -> new RdpConversation(challenge), answers(label)));
    }
    for (String label : List.of("xrdp-std128", "shadow-rdp")) {
      scripts.add(new Script(() -> new RdpConversation(none), answers(label)));
    }
    for (GuacdConversation.Question question : GuacdConversation.Question.values()) {
      String label =
          question == GuacdConversation.Question.GHOST ? "guacd-ghost" : "guacd-args-rdp";
      scripts.add(new Script(() -> new GuacdConversation(question, true), answers(label)));
    }
    byte[] errorInfo =
        HexFormat.of()
            .parseHex("0300002402f08068000303eb7016160017000000ea030100000112002f00000001000000");
    List<byte[]> toErrorInfo = new ArrayList<>(answers("xrdp10-req3").subList(0, 5));
    toErrorInfo.add(errorInfo);
    scripts.add(new Script(() -> new RdpConversation(challenge), toErrorInfo));
    return scripts;
  }

  private static List<byte[]> answers(String label) {
    return Fixture.recording(label).stream()
        .filter(pdu -> !pdu.fromClient())
        .map(Fixture::octets)
        .toList();
  }
}
