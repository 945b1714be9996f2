// SPDX-License-Identifier: Apache-2.0
package cupbear.load;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/**
 * Which module may use which. Maven would refuse a cycle, but not a new arrow between two leaves:
 * the simulator in particular must not share a line with the client it is there to catch out.
 */
@AnalyzeClasses(packages = "cupbear", importOptions = DoNotIncludeTests.class)
class ModuleArrowsTest {

  @ArchTest
  static final ArchRule leavesDoNotKnowEachOther =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .withOptionalLayers(true)
          .layer("fly-api")
          .definedBy("cupbear.fly..")
          .layer("fly-sim")
          .definedBy("cupbear.flysim..")
          .layer("health-probe")
          .definedBy("cupbear.probe..")
          .layer("gateway-client")
          .definedBy("cupbear.gateway..")
          .layer("local-redis")
          .definedBy("cupbear.redis..")
          .layer("scheduler")
          .definedBy("cupbear.scheduler..")
          .layer("load-test")
          .definedBy("cupbear.load..")
          .whereLayer("fly-api")
          .mayOnlyBeAccessedByLayers("scheduler")
          .whereLayer("health-probe")
          .mayOnlyBeAccessedByLayers("scheduler")
          .whereLayer("fly-sim")
          .mayOnlyBeAccessedByLayers("load-test")
          .whereLayer("gateway-client")
          .mayOnlyBeAccessedByLayers("load-test")
          .whereLayer("local-redis")
          .mayOnlyBeAccessedByLayers("load-test")
          .whereLayer("scheduler")
          .mayOnlyBeAccessedByLayers("load-test")
          .whereLayer("load-test")
          .mayNotBeAccessedByAnyLayer();
}
