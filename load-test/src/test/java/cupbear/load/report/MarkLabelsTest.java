// SPDX-License-Identifier: Apache-2.0
package cupbear.load.report;

import static org.assertj.core.api.Assertions.assertThat;

import cupbear.load.report.LoadReport.Mark;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However many faults there are and whenever they come, each label can be read. */
class MarkLabelsTest {
  private static final Axis.Time AXIS = new Axis.Time(60, 50, 900);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void noLabelCoversAnotherOrLeavesThePlot(long seed) {
    Random random = new Random(seed);
    List<Mark> marks =
        IntStream.range(0, 1 + random.nextInt(25))
            .mapToObj(i ->
                new Mark(
                    Duration.ofSeconds(random.nextInt(70)),
                    "scheduler killed ".repeat(1 + random.nextInt(5))))
            .toList();
    List<MarkLabels.Label> labels = MarkLabels.place(marks, AXIS);

    assertThat(labels).hasSameSizeAs(marks);
    assertThat(labels)
        .allMatch(label -> label.start() >= 50 && label.end() <= 950.001, "inside the plot");
    for (int i = 0; i < labels.size(); i++) {
      MarkLabels.Label one = labels.get(i);
      assertThat(labels.subList(0, i))
          .filteredOn(other -> other.row() == one.row())
          .allMatch(other -> other.end() < one.start() || one.end() < other.start());
    }
  }
}
