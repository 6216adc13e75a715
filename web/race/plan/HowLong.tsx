import { useState } from 'react'
import type { EpochMs } from '#contract/ids.ts'
import type { CarPlan, RaceLength } from '#contract/races.ts'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import { hourMs } from '#contract/shared/durations.ts'
import {
  maxRaceLaps,
  maxRaceMs,
  maxStopMs,
  minLapMs,
  minRaceMs,
} from '#contract/shared/raceRules.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { planText } from '#web/text/plan.ts'
import typography from '#web/ui/theme/typography.module.css'
import { useToasts } from '#web/ui/toasts.ts'
import { CircuitOfRace, type TimesOfCar } from './CircuitOfRace.tsx'
import type { Draft } from './draft.ts'
import { hoursFrom, hoursText, minutesFrom, minutesText } from './fieldTimes.ts'
import { Question } from './Question.tsx'
import styles from './Questions.module.css'
import { SavedField } from './SavedField.tsx'
import { StartFields } from './StartFields.tsx'
import type { SaveRace } from './useSaveRace.ts'

const usualHours = [2, 4, 6, 12, 24]

interface Props {
  teamId: string
  draft: Draft
  saving: SaveRace
  /** Driven laps and planned times of the shown car. Before the race is saved the plan is the proposed one. */
  times: TimesOfCar
  /** Sets the usual lap or the time of a stop for all cars. */
  onPlanTime: (kind: 'lap' | 'stop', ms: number | null) => Promise<unknown>
}

/** The first question about a race: its name, length, start and circuit, and the usual lap and stop. */
export function HowLong({ teamId, draft, saving, times, onPlanTime }: Props) {
  const { name, length, startsAt, circuitId } = draft
  const plan = times.plan ?? emptyTimes
  return (
    <Question number={1} title={planText.howLong}>
      <SavedField
        label={planText.raceName}
        value={name}
        text={text => text}
        read={text => text.trim() || undefined}
        wrong={planText.nameMissing}
        maxLength={maxNameLetters}
        onSave={(to, was) => saving.save({ to: { name: to }, was: { name: was } })}
      />
      <LengthFields length={length} saving={saving} />
      <StartFields
        startsAt={startsAt}
        onSave={(to: EpochMs | null, was) =>
          saving.save({ to: { startsAt: to }, was: { startsAt: was } })
        }
      />
      <CircuitOfRace
        teamId={teamId}
        circuitId={circuitId}
        times={times}
        onChoose={to => saving.save({ to: { circuitId: to }, was: { circuitId } })}
        onLap={ms => onPlanTime('lap', ms)}
      />
      <div className={styles.pair}>
        <SavedField
          label={`${planText.lap} (${planText.secondUnit})`}
          value={plan.lapMs}
          text={optionalText}
          read={optionalTime(minLapMs)}
          wrong={planText.wrongSeconds}
          onSave={ms => onPlanTime('lap', ms)}
        />
        <SavedField
          label={`${planText.stop} (${planText.secondUnit})`}
          value={plan.stopMs}
          text={optionalText}
          read={optionalTime(1000)}
          wrong={planText.wrongSeconds}
          onSave={ms => onPlanTime('stop', ms)}
        />
      </div>
    </Question>
  )
}

/** The length of a race: the usual hours as buttons, others and laps as fields. */
function LengthFields({ length, saving }: Pick<Props, 'saving'> & Pick<Draft, 'length'>) {
  const toasts = useToasts()
  const [isOther, setOther] = useState(false)
  const hours = length?.in === 'time' ? length.ms / hourMs : null
  const isUsual = hours !== null && usualHours.includes(hours)
  const showsOther = isOther || (length !== null && !isUsual)
  const saveLength = (to: RaceLength | null, was: RaceLength | null) =>
    saving.save({ to: { length: to }, was: { length: was } })
  const saveFailed = (reason: unknown) =>
    toasts.error(planText.saveFailed, refusalText(reason), 'plan')
  return (
    <>
      <fieldset className={styles.chips} aria-label={planText.length}>
        {usualHours.map(each => (
          <button
            key={each}
            type="button"
            aria-pressed={!showsOther && hours === each}
            onClick={() => {
              setOther(false)
              saveLength({ in: 'time', ms: each * hourMs }, length).catch(saveFailed)
            }}
          >
            {planText.hours(String(each))}
          </button>
        ))}
        <button type="button" aria-pressed={showsOther} onClick={() => setOther(true)}>
          {planText.other}
        </button>
      </fieldset>
      {showsOther && (
        <div className={styles.pair}>
          <SavedField
            label={`${planText.inTime} (${planText.lengthUnit})`}
            value={length?.in === 'time' ? length : null}
            text={(value: TimeLength | null) => (value === null ? '' : hoursText(value.ms))}
            read={hoursLength}
            wrong={planText.wrongHours}
            onSave={(to, was) => saveLength(to, was ?? length)}
          />
          <SavedField
            label={planText.inLaps}
            value={length?.in === 'laps' ? length : null}
            text={(value: LapsLength | null) => (value === null ? '' : String(value.laps))}
            read={lapsFrom}
            wrong={planText.wrongLaps}
            onSave={(to, was) => saveLength(to, was ?? length)}
          />
          <p className={`${styles.pairHint} ${typography.sub}`}>{planText.lengthHint}</p>
        </div>
      )}
    </>
  )
}

const emptyTimes: Pick<CarPlan, 'lapMs' | 'stopMs'> = { lapMs: null, stopMs: null }

type TimeLength = Extract<RaceLength, { in: 'time' }>
type LapsLength = Extract<RaceLength, { in: 'laps' }>

function hoursLength(text: string): TimeLength | undefined {
  const ms = hoursFrom(text)
  return ms !== undefined && ms >= minRaceMs && ms <= maxRaceMs ? { in: 'time', ms } : undefined
}

function lapsFrom(text: string): LapsLength | undefined {
  const laps = /^\s*\d{1,4}\s*$/.test(text) ? Number(text) : 0
  return laps >= 1 && laps <= maxRaceLaps ? { in: 'laps', laps } : undefined
}

function optionalText(ms: number | null): string {
  return ms === null ? '' : minutesText(ms)
}

const optionalTime =
  (leastMs: number) =>
  (text: string): number | null | undefined => {
    if (text.trim() === '') return null
    const ms = minutesFrom(text)
    return ms !== undefined && ms >= leastMs && ms <= maxStopMs ? ms : undefined
  }
