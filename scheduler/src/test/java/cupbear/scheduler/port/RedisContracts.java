// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import org.junit.jupiter.api.Nested;

/** Every contract of the store, for one way of running Redis. */
abstract class RedisContracts {
  /** Where the store of every test runs; one after the other, on the same servers. */
  abstract RedisServers servers();

  @Nested
  class KeepsClaims extends ClaimsContract {
    @Override
    StoreFixture open() {
      return new RedisFixture(servers());
    }
  }

  @Nested
  class KeepsWaiting extends WaitingContract {
    @Override
    StoreFixture open() {
      return new RedisFixture(servers());
    }
  }

  @Nested
  class KeepsSessions extends SessionsContract {
    @Override
    StoreFixture open() {
      return new RedisFixture(servers());
    }
  }

  @Nested
  class KeepsBook extends BookContract {
    @Override
    StoreFixture open() {
      return new RedisFixture(servers());
    }
  }

  @Nested
  class KeepsMarks extends MarksContract {
    @Override
    StoreFixture open() {
      return new RedisFixture(servers());
    }
  }

  @Nested
  class KeepsLosing extends LosingContract {
    @Override
    StoreFixture open() {
      return new RedisFixture(servers());
    }
  }

  @Nested
  class KeepsRecovery extends RecoveryContract {
    @Override
    StoreFixture open() {
      return new RedisFixture(servers());
    }
  }

  @Nested
  class KeepsRebuilding extends RebuildingContract {
    @Override
    StoreFixture open() {
      return new RedisFixture(servers());
    }
  }

  @Nested
  class KeepsLeadership extends LeadershipContract {
    @Override
    StoreFixture open() {
      return new RedisFixture(servers());
    }
  }

  @Nested
  class KeepsJournal extends JournalContract {
    @Override
    StoreFixture open() {
      return new RedisFixture(servers());
    }
  }
}
