// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import java.util.random.RandomGenerator;

/** Decisions know values only: no library, no clock, no chance. */
@AnalyzeClasses(
    packages = "cupbear.scheduler",
    importOptions = ImportOption.DoNotIncludeTests.class)
class PurityTest {
  @ArchTest
  static final ArchRule coreKnowsOnlyModelAndJava =
      classes()
          .that()
          .resideInAnyPackage("cupbear.scheduler.core..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..", "org.jspecify..", "cupbear.scheduler.core..", "cupbear.scheduler.model..");

  @ArchTest
  static final ArchRule modelKnowsOnlyJava =
      classes()
          .that()
          .resideInAnyPackage("cupbear.scheduler.model..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "org.jspecify..", "cupbear.scheduler.model..");

  @ArchTest
  static final ArchRule noClockAndNoChance =
      noClasses()
          .that()
          .resideInAnyPackage("cupbear.scheduler.core..", "cupbear.scheduler.model..")
          .should()
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(Math.class, "random")
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Clock.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(RandomGenerator.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Random.class);
}
