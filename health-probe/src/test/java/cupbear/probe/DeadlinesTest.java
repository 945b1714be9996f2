// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.probe.ProbeResult.Closed;
import cupbear.probe.ProbeResult.GuacdReady;
import cupbear.probe.ProbeResult.ProberError;
import cupbear.probe.ProbeResult.ProberError.Cause;
import cupbear.probe.ProbeResult.ProtocolError;
import cupbear.probe.ProbeResult.Ready;
import cupbear.probe.ProbeResult.TimedOut;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The handler under a clock that the test turns: when deadlines fall, and who is to blame. */
class DeadlinesTest {

  private final MockTicker time = Ticker.newMockTicker();
  private final EmbeddedChannel channel = EmbeddedChannel.builder().ticker(time).build();
  private final Deadlines deadlines = Deadlines.standard();

  @Test
  void silenceEndsExactlyAtTheDeadlineOfItsStep() {
    ProbeHandler probe = connected(rdp());
    pass(1999);
    assertThat(verdict(probe)).isNotDone();
    pass(1);
    assertThat(verdict(probe).join().result()).isEqualTo(timeout(ProbeStep.X224, 0, 4, 2000));
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void octetsThatDripBuyNoTime() {
    ProbeHandler probe = connected(rdp());
    byte[] confirm = Fixture.octets("xrdp-req3", 2);
    for (int i = 0; i < 9; i++) {
      pass(200);
      channel.writeInbound(Unpooled.wrappedBuffer(confirm, i, 1));
    }
    pass(199);
    assertThat(verdict(probe)).isNotDone();
    pass(1);
    assertThat(verdict(probe).join().result()).isEqualTo(timeout(ProbeStep.X224, 9, 19, 2000));
  }

  @Test
  void theWholeHasADeadlineThatNoStepCanStretch() {
    ProbeHandler probe = connecting(standardSecurity());
    pass(1400);
    channel.pipeline().fireChannelActive();
    pass(1900);
    say("xrdp-std128", 2);
    pass(900);
    say("xrdp-std128", 4);
    pass(799);
    assertThat(verdict(probe)).isNotDone();
    pass(1);
    ProbeReport report = verdict(probe).join();
    assertThat(report.result()).isEqualTo(timeout(ProbeStep.ATTACH, 0, 4, 800));
    assertThat(report.took()).isEqualTo(deadlines.total());
    assertThat(report.steps())
        .containsExactly(
            took(ProbeStep.CONNECT, 1400),
            took(ProbeStep.X224, 1900),
            took(ProbeStep.MCS, 900),
            took(ProbeStep.ATTACH, 800));
  }

  @Test
  void connectHasADeadlineToo() {
    ProbeHandler probe = connecting(rdp());
    pass(1500);
    assertThat(verdict(probe).join().result()).isEqualTo(timeout(ProbeStep.CONNECT, 0, 0, 1500));
  }

  @Test
  void aServerThatStopsMidwayIsTimedOutInThatStep() {
    ProbeHandler probe = connected(standardSecurity());
    say("xrdp-std128", 2);
    say("xrdp-std128", 4);
    say("xrdp-std128", 6);
    pass(1000);
    assertThat(verdict(probe).join().result()).isEqualTo(timeout(ProbeStep.JOIN_USER, 0, 4, 1000));
  }

  @Test
  void aStepThatGoesOnKeepsItsDeadline() {
    StepClock clock = new StepClock(channel.eventLoop(), deadlines, late -> {});
    clock.enter(ProbeStep.LOGIN);
    pass(400);
    clock.enter(ProbeStep.LOGIN);
    pass(400);
    ProbeReport report = clock.stop(new ProbeResult.Refused());
    assertThat(report.steps()).containsExactly(took(ProbeStep.LOGIN, 800));
  }

  @Test
  void whenTheLoopIsBehindByMoreThanADeadlineTheProberIsToBlame() {
    ProbeHandler probe = connected(rdp());
    // Nothing runs meanwhile: this is a loop that is stuck in something else.
    pass(2000 + 2001);
    pass(1);
    assertThat(verdict(probe).join().result())
        .isEqualTo(new ProberError(Cause.LATE, "2001 ms late"));
    assertThat(verdict(probe).join().result().weight()).isEqualTo(Weight.NEVER);
  }

  @Test
  void whenTheLoopIsALittleBehindTheServerStillOwesAnAnswer() {
    ProbeHandler probe = connected(rdp());
    pass(2000 + 500);
    assertThat(verdict(probe)).as("one more look at the socket").isNotDone();
    pass(1);
    assertThat(verdict(probe).join().result()).isEqualTo(timeout(ProbeStep.X224, 0, 4, 2000));
  }

  @Test
  void anAnswerThatWaitedInTheSocketWhileWeWereStuckCounts() {
    ProbeHandler probe = connected(guacd());
    pass(2000 + 500);
    channel.writeInbound(Unpooled.wrappedBuffer(Fixture.octets("guacd-ghost", 2)));
    assertThat(verdict(probe).join().result()).isInstanceOf(GuacdReady.class);
  }

  @Test
  void afterAVerdictNothingChangesIt() {
    ProbeHandler probe = connected(guacd());
    channel.writeInbound(Unpooled.wrappedBuffer(Fixture.octets("guacd-ghost", 2)));
    probe.cancel();
    channel.runPendingTasks();
    channel.writeInbound(Unpooled.copiedBuffer(new byte[] {1, 2, 3}));
    pass(10_000);
    assertThat(verdict(probe).join().result()).isInstanceOf(GuacdReady.class);
  }

  @Test
  void drainingEndsAtItsDeadlineThoughTheServerKeepsTalking() {
    ProbeHandler probe = connected(guacd());
    channel.writeInbound(Unpooled.wrappedBuffer(Fixture.octets("guacd-ghost", 2)));
    assertThat(verdict(probe)).isDone();
    for (int i = 0; i < 4; i++) {
      pass(100);
      channel.writeInbound(Unpooled.copiedBuffer(new byte[1000]));
    }
    pass(99);
    assertThat(channel.isOpen()).isTrue();
    pass(1);
    assertThat(channel.isOpen()).isFalse();
    assertThat(probe.closed().toCompletableFuture()).isDone();
  }

  @Test
  void cancellingSaysGoodbyeOnceMcsWasReached() {
    ProbeHandler probe = connected(standardSecurity());
    say("xrdp-std128", 2);
    channel.releaseOutbound();
    probe.cancel();
    channel.runPendingTasks();
    assertThat(verdict(probe).join().result()).isEqualTo(new ProberError(Cause.CANCELLED, ""));
    ByteBuf goodbye = channel.readOutbound();
    assertThat(goodbye).isEqualTo(RdpRequests.ultimatum());
    goodbye.release();
  }

  @Test
  void standardSecurityIsReadyAfterTheJoinsAndPartsPolitely() {
    ProbeHandler probe = connected(standardSecurity());
    for (int step : new int[] {2, 4, 6, 8, 10}) say("xrdp-std128", step);
    Ready joins = new Ready(Depth.JOINS, Selected.STANDARD, "none");
    assertThat(verdict(probe).join().result()).isEqualTo(joins);
    assertThat(joins.downgraded()).isTrue();
    assertThat(channel.isOpen()).as("still draining").isTrue();
  }

  @Test
  void anEndInsideAPduIsTruncation() {
    ProbeHandler inside = connected(rdp());
    channel.writeInbound(Unpooled.wrappedBuffer(Fixture.octets("xrdp-req3", 2), 0, 9));
    Parting.close(channel);
    assertThat(verdict(inside).join().result())
        .isEqualTo(new ProtocolError(ProbeStep.X224, Fault.TRUNCATED, 0));
  }

  @Test
  void anEndBetweenTwoPdusIsClosing() {
    ProbeHandler between = connected(rdp());
    Parting.close(channel);
    assertThat(verdict(between).join().result())
        .isEqualTo(new Closed(ProbeStep.X224, Closed.How.FIN));
  }

  @Test
  void cleartextBehindTheConfirmIsNeverTakenForTls() {
    ProbeHandler probe = connected(rdp());
    byte[] confirm = Fixture.octets("xrdp-req3", 2);
    byte[] response = Fixture.octets("xrdp-req3", 4);
    channel.writeInbound(Unpooled.wrappedBuffer(confirm, response));
    assertThat(verdict(probe).join().result())
        .isEqualTo(new ProtocolError(ProbeStep.TLS, Fault.UNEXPECTED_PDU, 0));
  }

  @Test
  void aServerThatNeverStopsTalkingIsCutOff() {
    ProbeHandler probe = connected(standardSecurityToLogin());
    byte[] noError =
        HexFormat.of()
            .parseHex("0300002402f08068000303eb7016160017000000ea030100000112002f00000000000000");
    for (int i = 0; i < 5_000 && !verdict(probe).isDone(); i++) {
      channel.writeInbound(Unpooled.wrappedBuffer(noError));
    }
    assertThat(verdict(probe).join().result())
        .isEqualTo(new ProtocolError(ProbeStep.LOGIN, Fault.UNEXPECTED_PDU, 0));
  }

  /** A conversation that is at its login already, to hear what servers say there. */
  private static Conversation standardSecurityToLogin() {
    return new Conversation() {
      @Override
      public Framing framing() {
        return Framing.TPKT;
      }

      @Override
      public Move begin() {
        return new Move.Say(ProbeStep.LOGIN, RdpRequests.clientInfo(3, 1003));
      }

      @Override
      public Move hear(ByteBuf frame) {
        return new Move.Listen(ProbeStep.LOGIN);
      }

      @Override
      public Move secured(String version) {
        throw new AssertionError();
      }

      @Override
      public ByteBuf goodbye() {
        return Unpooled.EMPTY_BUFFER;
      }
    };
  }

  private static Conversation rdp() {
    return new RdpConversation(RdpSettings.standard());
  }

  private static Conversation standardSecurity() {
    return new RdpConversation(RdpSettings.standard().withOffer(RdpOffer.STANDARD));
  }

  private static Conversation guacd() {
    return new GuacdConversation(GuacdConversation.Question.GHOST, false);
  }

  private ProbeHandler connecting(Conversation talk) {
    ProbeHandler probe =
        new ProbeHandler(channel.eventLoop(), talk, deadlines, new TlsClient(Set.of()));
    channel.pipeline().addLast(probe);
    probe.connecting(channel.newPromise());
    return probe;
  }

  private ProbeHandler connected(Conversation talk) {
    ProbeHandler probe = connecting(talk);
    channel.pipeline().fireChannelActive();
    return probe;
  }

  private void say(String label, int step) {
    channel.writeInbound(Unpooled.wrappedBuffer(Fixture.octets(label, step)));
  }

  private void pass(long millis) {
    time.advance(millis, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    channel.runPendingTasks();
  }

  private static CompletableFuture<ProbeReport> verdict(ProbeHandler probe) {
    return probe.report().toCompletableFuture();
  }

  private static TimedOut timeout(ProbeStep step, int seen, int wanted, long millis) {
    return new TimedOut(step, seen, wanted, Duration.ofMillis(millis));
  }

  private static StepTime took(ProbeStep step, long millis) {
    return new StepTime(step, Duration.ofMillis(millis));
  }
}
