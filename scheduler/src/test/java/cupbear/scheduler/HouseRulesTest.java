// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.time.Clock;
import java.util.Set;
import org.jspecify.annotations.NullMarked;

/**
 * The arrows of docs/ARCHITECTURE.md, and what the deciding packages may not touch. When one of
 * these fails, move the code: decisions into core, effects to an adapter, wiring into Main.
 */
@AnalyzeClasses(packages = "cupbear.scheduler", importOptions = DoNotIncludeTests.class)
class HouseRulesTest {

  private static final String HOUSE = "cupbear.scheduler.";

  /** The packages that decide: they see values, never the world. */
  private static final String[] DECIDING = {HOUSE + "model..", HOUSE + "core.."};

  private static final DescribedPredicate<JavaClass> ANNOTATIONS_ONLY =
      resideInAnyPackage("org.jspecify.annotations", "com.google.errorprone.annotations");

  @ArchTest
  static final ArchRule coreSeesOnlyTheModelAndTheJdk =
      noClasses()
          .that()
          .resideInAnyPackage(DECIDING)
          .should()
          .dependOnClassesThat(
              not(resideInAnyPackage("java..", HOUSE + "model..", HOUSE + "core.."))
                  .and(not(ANNOTATIONS_ONLY)))
          .because("decisions must run without wires, in a simulation and on paper");

  @ArchTest
  static final ArchRule modelDoesNotKnowItsUsers =
      noClasses()
          .that()
          .resideInAPackage(HOUSE + "model..")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("cupbear.scheduler..")
                  .and(not(resideInAnyPackage(HOUSE + "model.."))))
          .because("every other package speaks in its words");

  @ArchTest
  static final ArchRule decisionsReadNoClockNoDiceAndNoWorld =
      noClasses()
          .that()
          .resideInAnyPackage(HOUSE + "model..", HOUSE + "core..", HOUSE + "loop..")
          .should(touchTheWorld())
          .because("the same input must give the same plan, today and in a replay");

  @ArchTest
  static final ArchRule arrows =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .withOptionalLayers(true)
          .layer("model")
          .definedBy(HOUSE + "model..")
          .layer("trace")
          .definedBy(HOUSE + "trace..")
          .layer("core")
          .definedBy(HOUSE + "core..")
          .layer("port")
          .definedBy(HOUSE + "port..")
          .layer("loop")
          .definedBy(HOUSE + "loop..")
          .layer("app")
          .definedBy(HOUSE + "app..")
          .layer("sim")
          .definedBy(HOUSE + "sim..")
          .layer("adapter")
          .definedBy(HOUSE + "adapter..")
          .layer("config")
          .definedBy(HOUSE + "config..")
          .layer("telemetry")
          .definedBy(HOUSE + "telemetry..")
          .layer("security")
          .definedBy(HOUSE + "security..")
          .layer("api")
          .definedBy(HOUSE + "api..")
          .layer("cli")
          .definedBy(HOUSE + "cli..")
          .layer("main")
          .definedBy("cupbear.scheduler", HOUSE + "serve..")
          .whereLayer("core")
          .mayOnlyBeAccessedByLayers("loop", "app", "sim", "config", "cli")
          .whereLayer("loop")
          .mayOnlyBeAccessedByLayers("app", "sim", "main")
          .whereLayer("port")
          .mayOnlyBeAccessedByLayers("loop", "app", "adapter", "sim", "telemetry", "main")
          .whereLayer("app")
          .mayOnlyBeAccessedByLayers("api", "cli", "sim", "telemetry", "main")
          .whereLayer("adapter")
          .mayOnlyBeAccessedByLayers("sim", "main")
          .whereLayer("sim")
          .mayOnlyBeAccessedByLayers("cli", "main")
          .whereLayer("api")
          .mayOnlyBeAccessedByLayers("cli", "telemetry", "main")
          .whereLayer("telemetry")
          .mayOnlyBeAccessedByLayers("cli", "main")
          .whereLayer("trace")
          .mayOnlyBeAccessedByLayers("port", "app", "api", "telemetry", "main")
          .whereLayer("cli")
          .mayOnlyBeAccessedByLayers("main");

  @ArchTest
  static final ArchRule oneLibraryPerAdapter =
      slices()
          .matching(HOUSE + "adapter.(*)..")
          .should()
          .notDependOnEachOther()
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule onlyTheRedisAdapterKnowsJedis =
      noClasses()
          .that()
          .resideOutsideOfPackages(HOUSE + "adapter.redis..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("redis.clients..");

  @ArchTest
  static final ArchRule onlyTheFlyAdapterKnowsFly =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              HOUSE + "adapter.fly..",
              HOUSE + "telemetry..",
              HOUSE + "serve..",
              "cupbear.scheduler")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("cupbear.fly..")
          .because("the rest speaks of Machines in our words; telemetry hooks into the client");

  @ArchTest
  static final ArchRule onlyTelemetryKnowsItsLibraries =
      noClasses()
          .that()
          .resideOutsideOfPackages(HOUSE + "telemetry..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.micrometer..", "io.prometheus..", "io.opentelemetry..", "ch.qos.logback..")
          .because("everybody else counts, tells and traces through port.Meters and trace.Span");

  @ArchTest
  static final ArchRule onlyTheProbeAdapterAndItsCommandKnowBytes =
      noClasses()
          .that(
              not(
                  resideInAnyPackage(
                          HOUSE + "adapter.probe..", HOUSE + "serve..", "cupbear.scheduler")
                      .or(simpleNameStartsWith("Probe"))))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("cupbear.probe..");

  @ArchTest
  static final ArchRule nullsAreMarkedEverywhere =
      classes()
          .that(not(simpleName("package-info")))
          .should(
              new ArchCondition<JavaClass>("be in a package marked @NullMarked") {
                @Override
                public void check(JavaClass item, ConditionEvents events) {
                  boolean marked = item.getPackage().isAnnotatedWith(NullMarked.class);
                  events.add(
                      new SimpleConditionEvent(
                          item, marked, item.getPackageName() + " needs a package-info.java"));
                }
              });

  private static DescribedPredicate<JavaClass> simpleNameStartsWith(String start) {
    return DescribedPredicate.describe(
        "simple name starts with " + start, each -> each.getSimpleName().startsWith(start));
  }

  private static final Set<String> BANNED_TYPES =
      Set.of(
          "java.lang.Thread",
          "java.lang.Runtime",
          "java.lang.ProcessBuilder",
          "java.lang.Math#random",
          "java.util.Random",
          "java.util.SplittableRandom",
          "java.util.concurrent.ThreadLocalRandom",
          "java.util.UUID#randomUUID",
          "java.security.SecureRandom");

  private static final Set<String> BANNED_PACKAGES =
      Set.of("java.io", "java.net", "java.nio.channels", "java.util.logging");

  private static ArchCondition<JavaClass> touchTheWorld() {
    return new ArchCondition<>("read a clock, throw dice, start threads or open anything") {
      @Override
      public void check(JavaClass item, ConditionEvents events) {
        item.getAccessesFromSelf().stream()
            .filter(access -> isWorld(access))
            .forEach(access ->
                events.add(SimpleConditionEvent.satisfied(item, access.getDescription())));
      }
    };
  }

  private static boolean isWorld(JavaAccess<?> access) {
    String type = access.getTargetOwner().getFullName();
    String call = type + "#" + access.getName();
    return BANNED_TYPES.contains(type)
        || BANNED_TYPES.contains(call)
        || access.getTargetOwner().isAssignableTo(Clock.class)
        || (type.startsWith("java.time.") && access.getName().equals("now"))
        || (type.equals("java.lang.System") && !access.getName().equals("arraycopy"))
        || (BANNED_PACKAGES.contains(access.getTargetOwner().getPackageName())
            && !type.startsWith("java.io.UncheckedIO"));
  }
}
