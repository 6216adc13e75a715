import { Minus, Plus } from 'lucide-react'
import { useState } from 'react'
import { fillOfStop } from '#racing/race/lacksLitres.ts'
import { kindOfFill, type PlannedFill, plannedFill } from '#racing/race/plannedFill.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { fuelText } from '#web/text/fuel.ts'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import { isEntered } from './enteredFill.ts'
import { fillTime } from './fillTime.ts'
import styles from './StopLitres.module.css'
import type { CarRace } from './shownCarRace.ts'
import { useSaveEntry } from './useSaveEntry.ts'

/** Litres that somebody has chosen in a stop, before they are saved. */
export interface ChosenLitres {
  /** Start of the visit to the pits. */
  readonly stopAt: number
  readonly litres: number
}

export type ChoosingLitres = readonly [
  chosen: ChosenLitres | null,
  choose: (chosen: ChosenLitres) => void,
]

interface Props {
  sessionId: string
  race: CarRace
  litres: ChoosingLitres
  /** Opens the form for all other entries. */
  onOpen: () => void
}

/** The litres of a stop on the message screen: those of the plan are saved with one press, others with a few. */
export function StopLitres({ onOpen, ...stop }: Props) {
  const { race } = stop
  const now = useServerClock()
  const fill = fillOfStop(race.visits, race.fills.filter(isEntered))
  const planned = fill ? null : plannedFill(race, now())
  const amount = fill
    ? fuelText.entry(fill.litres, fill.kind)
    : planned && fuelText.litres(wholeNumber(planned.litres))
  return (
    <section className={styles.litres} aria-label={fuelText.amount} data-litres="">
      {planned ? (
        <Planned {...{ ...stop, planned, onOpen }} />
      ) : (
        <>
          <p>
            <small>{fuelText.amount}</small>
            <b>{amount ?? fuelText.unknown}</b>
            {fill?.enteredBy && <small> {fuelText.enteredBy(fill.enteredBy)}</small>}
          </p>
          <button
            type="button"
            data-main={!fill || undefined}
            data-likely={!fill || undefined}
            onClick={onOpen}
          >
            {fill && <span className={styles.of}>{fuelText.entry(fill.litres, 'part')} </span>}
            {fill ? fuelText.changeLitres : fuelText.enter}
          </button>
        </>
      )}
    </section>
  )
}

const kinds = ['part', 'full'] as const

function Planned({
  sessionId,
  race,
  litres: [draft, choose],
  planned,
  onOpen,
}: Props & { planned: PlannedFill }) {
  const now = useServerClock()
  // A second press is the same entry.
  const [id] = useState(() => crypto.randomUUID())
  const stopAt = race.visits.at(-1)?.startedAt ?? 0
  const chosen = draft?.stopAt === stopAt ? draft.litres : null
  const litres = chosen ?? planned.litres
  const likely = litres === 0 ? 'part' : kindOfFill(planned, litres)
  const saving = useSaveEntry({
    sessionId,
    race,
    at: fillTime(race.visits, race.fills, now()),
    onDone: () => {},
  })
  return (
    <>
      <button type="button" className={styles.amount} onClick={onOpen}>
        <small role={saving.error ? 'alert' : undefined}>
          {saving.error ? (
            refusalText(saving.error)
          ) : (
            <>
              <span className={styles.wide}>
                {chosen === null ? fuelText.litresPlanned : fuelText.amount}
              </span>
              <span className={styles.narrow}>{fuelText.amount}</span>
            </>
          )}
        </small>
        <b>{fuelText.litres(String(litres))}</b>
      </button>
      {([-1, 1] as const).map(sign => (
        <button
          key={sign}
          type="button"
          className={styles.step}
          aria-label={sign < 0 ? fuelText.less : fuelText.more}
          onClick={() => choose({ stopAt, litres: Math.max(0, litres + sign) })}
        >
          {sign < 0 ? <Minus aria-hidden /> : <Plus aria-hidden />}
        </button>
      ))}
      {(litres === 0 ? (['part'] as const) : kinds).map(kind => (
        <button
          key={kind}
          type="button"
          data-main={(litres > 0 && kind === likely) || undefined}
          data-likely={kind === likely || undefined}
          aria-label={litres === 0 ? undefined : fuelText.saveKind[kind](wholeNumber(litres))}
          disabled={saving.isPending}
          onClick={() => saving.saveNew(id, { litres, kind })}
        >
          {litres === 0 ? (
            fuelText.noFuelTaken
          ) : (
            <>
              <span className={styles.wide}>{fuelText.kindShort[kind]}</span>
              <span className={styles.narrow}>{fuelText.saveShort[kind](wholeNumber(litres))}</span>
            </>
          )}
        </button>
      ))}
    </>
  )
}
