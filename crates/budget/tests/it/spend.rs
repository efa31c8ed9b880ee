//! Limits, days and what people read, case by case.

use crate::support::restarted_spend;
use countersign_budget::{
    Admission, Amount, AmountLimits, Cost, DAY_MILLIS, DaySpend, Gone, Measure, Period, Returns,
    STATE_VERSION, SessionSpend, SpendBudget, SpendLimits, StateError,
};

const ONE: Amount = Amount {
    calls: 1,
    tokens: 100,
    millis: 2_500,
    micros: 1_200,
};

const NOON: u64 = 20_000 * DAY_MILLIS + DAY_MILLIS / 2;

fn only(measure: Measure, most: u64) -> AmountLimits {
    let mut limits = AmountLimits::NONE;
    match measure {
        Measure::Calls => limits.calls = Some(most),
        Measure::Tokens => limits.tokens = Some(most),
        Measure::Time => limits.millis = Some(most),
        Measure::Money => limits.micros = Some(most),
    }
    limits
}

fn session(session: AmountLimits) -> SpendLimits {
    SpendLimits {
        session,
        day: AmountLimits::NONE,
    }
}

fn day(day: AmountLimits) -> SpendLimits {
    SpendLimits {
        session: AmountLimits::NONE,
        day,
    }
}

fn gone(budget: &mut SpendBudget, now: u64) -> Option<(Period, Measure, Returns)> {
    match budget.admit(now) {
        Admission::Room => None,
        Admission::Gone(gone) => Some((gone.period, gone.measure, gone.returns)),
    }
}

#[test]
fn each_limit_holds_for_its_measure_and_its_period() {
    let midnight = Returns::At(20_001 * DAY_MILLIS);
    for measure in Measure::ALL {
        // Room for two, and not quite for a third.
        let limits = only(measure, 3 * ONE.of(measure) - 1);
        for (limits, period, returns) in [
            (session(limits), Period::Session, Returns::Never),
            (day(limits), Period::Day, midnight),
        ] {
            let mut budget = SpendBudget::new(limits, ONE);
            for _ in 0..2 {
                assert_eq!(gone(&mut budget, NOON), None);
                budget.charge(NOON, Cost::Known(ONE));
            }
            assert_eq!(gone(&mut budget, NOON), Some((period, measure, returns)));
            let tomorrow = (period == Period::Session).then_some((period, measure, returns));
            assert_eq!(gone(&mut budget, NOON + DAY_MILLIS), tomorrow);
        }
    }
}

#[test]
fn without_limits_there_is_always_room() {
    let mut budget = SpendBudget::new(SpendLimits::default(), ONE);
    let all = u64::MAX;
    let most = Amount {
        calls: all,
        tokens: all,
        millis: all,
        micros: all,
    };
    budget.charge(NOON, Cost::Known(most));
    budget.charge(NOON, Cost::Known(most));
    assert_eq!(budget.admit(NOON), Admission::Room);
    assert_eq!(budget.session().spent, most);
}

#[test]
fn what_cannot_be_counted_is_never_within_a_limit() {
    let mut budget = SpendBudget::new(session(only(Measure::Tokens, u64::MAX)), ONE);
    budget.charge(
        NOON,
        Cost::Known(Amount {
            tokens: u64::MAX - 100,
            ..ONE
        }),
    );
    assert_eq!(gone(&mut budget, NOON), None);
    budget.charge(NOON, Cost::Known(ONE));
    assert!(gone(&mut budget, NOON).is_some());
}

#[test]
fn a_crash_costs_the_worst_case() {
    let mut budget = SpendBudget::new(SpendLimits::default(), ONE);
    budget.charge(NOON, Cost::Unknown);
    budget.charge(
        NOON,
        Cost::Known(Amount {
            calls: 1,
            ..Amount::NONE
        }),
    );
    assert_eq!(budget.session().spent, Amount { calls: 2, ..ONE });
    assert_eq!(budget.day().spent, Amount { calls: 2, ..ONE });
}

#[test]
fn of_several_limits_the_one_that_stays_away_longest_is_named() {
    let two = only(Measure::Calls, 2);
    let few = AmountLimits {
        tokens: Some(150),
        ..two
    };
    // A day that is too small for one review is gone for good.
    let tiny = AmountLimits {
        tokens: Some(50),
        ..two
    };
    let midnight = Returns::At(20_001 * DAY_MILLIS);
    for (session, day, expected) in [
        (two, few, (Period::Day, Measure::Tokens, midnight)),
        (few, two, (Period::Session, Measure::Tokens, Returns::Never)),
        (few, few, (Period::Session, Measure::Tokens, Returns::Never)),
        (
            AmountLimits::NONE,
            few,
            (Period::Day, Measure::Tokens, midnight),
        ),
        (two, tiny, (Period::Day, Measure::Tokens, Returns::Never)),
        (
            only(Measure::Calls, 1),
            tiny,
            (Period::Session, Measure::Calls, Returns::Never),
        ),
        (
            AmountLimits::NONE,
            only(Measure::Money, 0),
            (Period::Day, Measure::Money, Returns::Never),
        ),
    ] {
        let mut budget = SpendBudget::new(SpendLimits { session, day }, ONE);
        budget.charge(NOON, Cost::Known(ONE));
        assert_eq!(gone(&mut budget, NOON), Some(expected));
    }
    let tiny_beside_few = AmountLimits {
        calls: Some(1),
        tokens: Some(50),
        ..AmountLimits::NONE
    };
    let mut budget = SpendBudget::new(day(tiny_beside_few), ONE);
    budget.charge(NOON, Cost::Known(ONE));
    let expected = (Period::Day, Measure::Tokens, Returns::Never);
    assert_eq!(gone(&mut budget, NOON), Some(expected));
}

#[test]
fn a_clock_that_steps_gives_nothing_back() {
    let two = only(Measure::Calls, 2);
    let mut budget = SpendBudget::new(day(two), ONE);
    // The day of the clock against the first, whether there is room, and the day in force.
    for (step, room, in_force) in [
        (0_i64, true, 0),
        (0, true, 0),
        (0, false, 0),
        (-1, false, 0),
        (-20_000, false, 0),
        (1, true, 1),
        (0, true, 1),
        (1, false, 1),
        (0, false, 1),
        (9, true, 9),
        (2, true, 9),
        (8, false, 9),
        (9, false, 9),
        (10, true, 10),
    ] {
        let now = NOON.saturating_add_signed(step * DAY_MILLIS.cast_signed());
        let admitted = budget.admit(now) == Admission::Room;
        assert_eq!(
            (admitted, budget.day().day),
            (room, 20_000 + in_force),
            "{step}"
        );
        if admitted {
            budget.charge(now, Cost::Known(ONE));
        }
        budget = restarted_spend(&budget, day(two), ONE);
    }
}

#[test]
fn a_day_ends_at_midnight_and_the_last_of_all_days_never_overflows() {
    let one = day(only(Measure::Calls, 1));
    let midnight = 20_001 * DAY_MILLIS;
    let mut budget = SpendBudget::new(one, ONE);
    budget.charge(midnight - 1, Cost::Known(ONE));
    let expected = Some((Period::Day, Measure::Calls, Returns::At(midnight)));
    assert_eq!(gone(&mut budget, midnight - 1), expected);
    assert_eq!(gone(&mut budget, midnight), None);
    budget.charge(u64::MAX, Cost::Known(ONE));
    let expected = Some((Period::Day, Measure::Calls, Returns::At(u64::MAX)));
    assert_eq!(gone(&mut budget, u64::MAX), expected);
    assert_eq!(restarted_spend(&budget, one, ONE), budget);
}

#[test]
fn another_limit_holds_from_the_next_start() {
    let mut budget = SpendBudget::new(session(only(Measure::Calls, 5)), ONE);
    budget.charge(NOON, Cost::Known(ONE));
    let tighter = session(only(Measure::Calls, 1));
    let mut budget = restarted_spend(&budget, tighter, ONE);
    assert!(gone(&mut budget, NOON).is_some());
}

#[test]
fn sessions_share_a_day() {
    let limits = day(only(Measure::Calls, 2));
    let mut first = SpendBudget::new(limits, ONE);
    first.charge(NOON, Cost::Known(ONE));
    let mut second = SpendBudget::restore(limits, ONE, SessionSpend::BEGINS, *first.day())
        .expect("a session that begins");
    assert_eq!(gone(&mut second, NOON), None);
    second.charge(NOON, Cost::Known(ONE));
    assert!(gone(&mut second, NOON).is_some());
    assert_eq!(second.session().spent.calls, 1);
}

#[test]
fn a_state_that_is_unknown_or_damaged_is_refused() {
    let restored = |v_session, v_day, day| {
        let session = SessionSpend {
            v: v_session,
            ..SessionSpend::BEGINS
        };
        let day = DaySpend {
            v: v_day,
            day,
            ..DaySpend::BEGINS
        };
        SpendBudget::restore(SpendLimits::default(), ONE, session, day).err()
    };
    let last = u64::MAX / DAY_MILLIS;
    for (session, day, nth, expected) in [
        (STATE_VERSION, STATE_VERSION, last, None),
        (0, STATE_VERSION, 0, Some(StateError::Version { found: 0 })),
        (STATE_VERSION, 2, 0, Some(StateError::Version { found: 2 })),
    ] {
        assert_eq!(restored(session, day, nth), expected);
    }
    let damaged = restored(STATE_VERSION, STATE_VERSION, last + 1).expect("no clock names it");
    insta::assert_snapshot!(damaged);
}

#[test]
fn what_was_spent_can_be_read() {
    let limits = SpendLimits {
        session: AmountLimits {
            calls: Some(10),
            millis: Some(600_000),
            ..AmountLimits::NONE
        },
        day: AmountLimits {
            tokens: Some(1_000),
            micros: Some(2_000_000),
            ..AmountLimits::NONE
        },
    };
    let mut budget = SpendBudget::new(limits, ONE);
    budget.charge(NOON, Cost::Known(ONE));
    budget.charge(NOON + DAY_MILLIS, Cost::Unknown);
    insta::assert_snapshot!(budget);
    insta::assert_snapshot!(budget.session().spent, @"2 calls, 200 tokens, 5.000 seconds, 0.002400 in money");
}

#[test]
fn what_is_gone_says_what_to_do() {
    let texts: Vec<String> = Measure::ALL
        .into_iter()
        .zip([Returns::Never, Returns::At(NOON)].into_iter().cycle())
        .map(|(measure, returns)| {
            let period = if returns == Returns::Never {
                Period::Session
            } else {
                Period::Day
            };
            let (most, worst) = (3 * ONE.of(measure), ONE.of(measure));
            Gone {
                period,
                measure,
                spent: most,
                most,
                worst,
                returns,
            }
            .to_string()
        })
        .collect();
    insta::assert_snapshot!(texts.join("\n"));
}
