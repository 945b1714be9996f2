// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import cupbear.scheduler.port.FlyTrouble;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What is told once and not again. */
class ChronicleTest {
  private static final PoolName POOL = new PoolName("viewers");
  private static final Region IAD = new Region("iad");

  private final Logger logger = (Logger) LoggerFactory.getLogger("cupbear.chronicle");
  private final ListAppender<ILoggingEvent> ear = new ListAppender<>();
  private final Chronicle chronicle = new Chronicle();

  @BeforeEach
  void listen() {
    logger.setAdditive(false);
    ear.start();
    logger.addAppender(ear);
  }

  @AfterEach
  void stopListening() {
    logger.detachAppender(ear);
    logger.setAdditive(true);
  }

  private List<String> told() {
    Stream<String> lines = ear.list.stream().map(line -> line.getMessage() + " " + facts(line));
    List<String> told = lines.toList();
    ear.list.clear();
    return told;
  }

  private static String facts(ILoggingEvent line) {
    return LogFields.of(line).toString();
  }

  @Test
  void aListThatDoesNotComeIsToldOnceForEachKindOfTrouble() {
    chronicle.listed(POOL, IAD, null);
    assertThat(told()).isEmpty();
    chronicle.listed(POOL, IAD, new FlyTrouble(FlyTrouble.Kind.UNAVAILABLE, "503 [id 1]"));
    assertThat(told())
        .containsExactly(
            "Fly's list does not come"
                + " {pool=viewers, region=iad, outcome=unavailable, why=503 [id 1]}");
    chronicle.listed(POOL, IAD, new FlyTrouble(FlyTrouble.Kind.UNAVAILABLE, "503 [id 2]"));
    assertThat(told()).isEmpty();
    chronicle.listed(POOL, new Region("lhr"), null);
    assertThat(told()).as("another region").isEmpty();
    chronicle.listed(POOL, IAD, new FlyTrouble(FlyTrouble.Kind.DENIED, "403 [id 3]"));
    assertThat(told()).singleElement().asString().contains("outcome=denied");
    chronicle.listed(POOL, IAD, null);
    assertThat(told()).containsExactly("Fly's list comes again {pool=viewers, region=iad}");
  }

  @Test
  void anEndIsToldWhoeverBroughtIt() {
    chronicle.ended(POOL, new SessionId("ses_viewers_1"), null, "released");
    assertThat(told())
        .containsExactly("session ended {pool=viewers, outcome=released, session=ses_viewers_1}");
  }
}
