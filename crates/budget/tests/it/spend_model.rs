//! Random calls under a clock that steps both ways, against a model that keeps all of them and
//! counts.

use crate::support::{cases, restarted_spend};
use countersign_budget::{
    Admission, Amount, AmountLimits, Cost, DAY_MILLIS, Measure, Period, Returns, SpendBudget,
    SpendLimits,
};
use proptest::prelude::*;

#[derive(Debug, Clone, Copy)]
enum Call {
    Admit,
    Charge(Cost),
    Restart,
}

/// A call, and how far the clock steps before it.
type Step = (i64, Call);

/// Every charge with the day that was in force, and the latest day that was seen.
#[derive(Default)]
struct Model {
    charges: Vec<(u64, Amount)>,
    latest: u64,
}

impl Model {
    fn see(&mut self, now: u64) {
        self.latest = self.latest.max(now / DAY_MILLIS);
    }

    fn spent(&self, period: Period, measure: Measure) -> u128 {
        let charges = self.charges.iter();
        let counted = charges.filter(|(day, _)| period == Period::Session || *day == self.latest);
        counted
            .map(|(_, amount)| u128::from(amount.of(measure)))
            .sum()
    }

    /// All limits without room for the worst case, and when each returns.
    fn gone(&self, limits: SpendLimits, worst: Amount) -> Vec<(Period, Measure, Returns)> {
        let mut gone = Vec::new();
        for (period, limits) in [(Period::Session, limits.session), (Period::Day, limits.day)] {
            for measure in Measure::ALL {
                let Some(most) = limits.of(measure) else {
                    continue;
                };
                let needed = self.spent(period, measure) + u128::from(worst.of(measure));
                if needed > u128::from(most) {
                    let tomorrow = period == Period::Day && worst.of(measure) <= most;
                    let end = (self.latest + 1) * DAY_MILLIS;
                    let returns = if tomorrow {
                        Returns::At(end)
                    } else {
                        Returns::Never
                    };
                    gone.push((period, measure, returns));
                }
            }
        }
        gone
    }
}

/// Small, so that limits are met; seldom more than can be counted.
fn number() -> impl Strategy<Value = u64> {
    prop_oneof![30 => 0..6_u64, 1 => Just(u64::MAX)]
}

fn amount() -> impl Strategy<Value = Amount> {
    (number(), number(), number(), number()).prop_map(|(calls, tokens, millis, micros)| Amount {
        calls,
        tokens,
        millis,
        micros,
    })
}

fn small() -> impl Strategy<Value = Amount> {
    (0..4_u64, 0..4_u64, 0..4_u64, 0..4_u64).prop_map(|(calls, tokens, millis, micros)| Amount {
        calls,
        tokens,
        millis,
        micros,
    })
}

fn limits() -> impl Strategy<Value = SpendLimits> {
    let limit = || prop::option::of(0..20_u64);
    let one = move || {
        (limit(), limit(), limit(), limit()).prop_map(|(calls, tokens, millis, micros)| {
            AmountLimits {
                calls,
                tokens,
                millis,
                micros,
            }
        })
    };
    (one(), one()).prop_map(|(session, day)| SpendLimits { session, day })
}

fn clock() -> impl Strategy<Value = i64> {
    let day = DAY_MILLIS.cast_signed();
    prop_oneof![6 => 0..day / 8, 1 => -day / 2..day / 2, 1 => -3 * day..3 * day]
}

fn call() -> impl Strategy<Value = Call> {
    prop_oneof![
        3 => Just(Call::Admit),
        3 => amount().prop_map(|it| Call::Charge(Cost::Known(it))),
        1 => Just(Call::Charge(Cost::Unknown)),
        1 => Just(Call::Restart),
    ]
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec((clock(), call()), 0..60)
}

fn stepped(now: u64, step: i64) -> u64 {
    now.saturating_add_signed(step)
}

const START: u64 = 20_000 * DAY_MILLIS;

fn capped(sum: u128) -> u64 {
    u64::try_from(sum).unwrap_or(u64::MAX)
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn every_answer_is_that_of_the_model(
        limits in limits(), worst in small(), steps in steps(),
    ) {
        let mut budget = SpendBudget::new(limits, worst);
        let mut model = Model::default();
        let mut now = START;
        for (step, call) in steps {
            now = stepped(now, step);
            match call {
                Call::Admit => {
                    model.see(now);
                    let gone = model.gone(limits, worst);
                    let never = gone.iter().find(|(_, _, returns)| *returns == Returns::Never);
                    let expected = never.or(gone.first()).copied();
                    let said = match budget.admit(now) {
                        Admission::Room => None,
                        Admission::Gone(gone) => {
                            let spent = capped(model.spent(gone.period, gone.measure));
                            prop_assert_eq!(gone.spent, spent);
                            prop_assert_eq!(gone.worst, worst.of(gone.measure));
                            Some((gone.period, gone.measure, gone.returns))
                        }
                    };
                    prop_assert_eq!(said, expected);
                }
                Call::Charge(cost) => {
                    model.see(now);
                    let amount = match cost {
                        Cost::Known(amount) => amount,
                        Cost::Unknown => worst,
                    };
                    model.charges.push((model.latest, amount));
                    budget.charge(now, cost);
                }
                Call::Restart => budget = restarted_spend(&budget, limits, worst),
            }
            for measure in Measure::ALL {
                let session = capped(model.spent(Period::Session, measure));
                prop_assert_eq!(budget.session().spent.of(measure), session);
                let day = capped(model.spent(Period::Day, measure));
                prop_assert_eq!(budget.day().spent.of(measure), day);
            }
        }
    }

    #[test]
    fn no_limit_is_overstepped_by_reviews_that_cost_no_more_than_the_worst_case(
        limits in limits(),
        worst in small(),
        steps in prop::collection::vec((clock(), clock(), any::<[u8; 4]>()), 0..60),
    ) {
        let mut budget = SpendBudget::new(limits, worst);
        let mut now = START;
        for (before, during, [calls, tokens, millis, micros]) in steps {
            now = stepped(now, before);
            if budget.admit(now) != Admission::Room {
                continue;
            }
            now = stepped(now, during);
            let part = |part: u8, worst: u64| u64::from(part) % (worst + 1);
            budget.charge(now, Cost::Known(Amount {
                calls: part(calls, worst.calls),
                tokens: part(tokens, worst.tokens),
                millis: part(millis, worst.millis),
                micros: part(micros, worst.micros),
            }));
            for measure in Measure::ALL {
                let within = |spent: Amount, limits: AmountLimits| {
                    limits.of(measure).is_none_or(|most| spent.of(measure) <= most)
                };
                prop_assert!(within(budget.session().spent, limits.session));
                prop_assert!(within(budget.day().spent, limits.day));
            }
        }
    }

    #[test]
    fn the_day_never_goes_back_and_only_a_later_one_starts_from_nothing(
        limits in limits(), worst in small(), steps in steps(),
    ) {
        let mut budget = SpendBudget::new(limits, worst);
        let mut now = START;
        let mut before = (*budget.day(), *budget.session());
        for (step, call) in steps {
            now = stepped(now, step);
            match call {
                Call::Admit => {
                    let _ = budget.admit(now);
                }
                Call::Charge(cost) => budget.charge(now, cost),
                Call::Restart => budget = restarted_spend(&budget, limits, worst),
            }
            let (day, session) = (*budget.day(), *budget.session());
            prop_assert!(day.day >= before.0.day);
            for measure in Measure::ALL {
                let same_day = day.day == before.0.day;
                prop_assert!(!same_day || day.spent.of(measure) >= before.0.spent.of(measure));
                prop_assert!(session.spent.of(measure) >= before.1.spent.of(measure));
            }
            before = (day, session);
        }
    }

    #[test]
    fn a_restart_anywhere_changes_nothing(
        limits in limits(), worst in small(), steps in steps(), at in any::<prop::sample::Index>(),
    ) {
        let mut one = SpendBudget::new(limits, worst);
        let mut other = one.clone();
        let at = at.index(steps.len() + 1);
        let mut now = START;
        for (nth, (step, call)) in steps.into_iter().enumerate() {
            now = stepped(now, step);
            if nth == at {
                other = restarted_spend(&other, limits, worst);
            }
            match call {
                Call::Admit => prop_assert_eq!(one.admit(now), other.admit(now)),
                Call::Charge(cost) => {
                    one.charge(now, cost);
                    other.charge(now, cost);
                }
                Call::Restart => {}
            }
            prop_assert_eq!(&one, &other);
        }
    }
}
