import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Fill } from '#contract/fills.ts'
import type { LapTable } from '#contract/laps.ts'
import { fillOfStop, stopsWithoutLitres } from '#racing/race/lacksLitres.ts'
import type { Visit } from '#racing/race/stopClock.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { appText } from '#web/text/app.ts'
import { fuelText } from '#web/text/fuel.ts'
import { Button } from '#web/ui/Button.tsx'
import { DialogChoices, DialogError, FormDialog } from '#web/ui/Dialog.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { stintDriverName } from './driverName.ts'
import { type EnteredFill, fillValues, isEntered } from './enteredFill.ts'
import { FillForm } from './FillForm.tsx'
import { type Entry, firstEntry, newEntry, startLitres } from './fuelEntry.ts'
import styles from './RefuelSheet.module.css'
import type { CarRace } from './shownCarRace.ts'
import { hoursAndMinutes } from './timeOfDay.ts'
import { useCarRace } from './useCarRace.ts'
import { useFills } from './useFills.ts'

interface Props {
  sessionId: string
  onClose: () => void
}

/** The entry of fuel: litres that went in at a stop, and corrections of earlier entries. */
export function RefuelSheet({ sessionId, onClose }: Props) {
  const { race, table } = useCarRace(sessionId)
  return race ? <Sheet {...{ sessionId, race, table, onClose }} /> : null
}

interface SheetProps extends Props {
  race: CarRace
  table: LapTable | undefined
}

function Sheet({ sessionId, race, table, onClose }: SheetProps) {
  const now = useServerClock()
  const [entry, setEntry] = useState(() => firstEntry(race, table, now()))
  const isList = entry === null || entry.kind === 'new'
  return (
    <FormDialog
      open
      title={titleOf(entry)}
      car={race.car?.number}
      // The key that saves an assumed full tank as entered is pressed on purpose.
      focusesSubmit={entry?.kind !== 'start'}
      onClose={onClose}
    >
      {entry === null ? (
        <Button variant="quiet" onClick={() => setEntry(newEntry())}>
          {fuelText.add}
        </Button>
      ) : (
        <>
          {entry.kind === 'new' && <Stop race={race} stop={entry.stop} />}
          <FillForm
            key={keyOf(entry)}
            {...{ sessionId, race, entry }}
            onDone={onClose}
            onCancel={entry.kind === 'new' ? onClose : () => setEntry(null)}
          />
        </>
      )}
      {isList && (
        <FillList
          sessionId={sessionId}
          fills={race.fills}
          missing={stopsWithoutLitres(race).filter(
            ({ startedAt }) =>
              entry?.kind !== 'new' || startedAt !== stopOf(entry, race)?.startedAt,
          )}
          onEnter={stop => setEntry(newEntry(stop))}
          onChange={fill => setEntry({ kind: 'fill', fill })}
          onChangeStart={() => setEntry({ kind: 'start', was: startLitres(race) })}
        />
      )}
      {entry === null && (
        <DialogChoices>
          <Button variant="quiet" onClick={onClose}>
            {appText.close}
          </Button>
        </DialogChoices>
      )}
    </FormDialog>
  )
}

/** Names the stop to which the litres belong; nothing if none was seen. */
function Stop({ race, stop }: { race: CarRace; stop: Visit | null }) {
  const last = fillOfStop(race.visits, race.fills) ? undefined : race.visits.at(-1)
  const visit = stop ?? last
  if (!visit) return null
  const before = race.stints.findLast(({ from }) => from < visit.startedAt)
  const next = race.visits.find(({ startedAt }) => startedAt > visit.startedAt)
  const after = race.stints.find(
    ({ from }) => from >= visit.startedAt && from < (next?.startedAt ?? Number.POSITIVE_INFINITY),
  )
  const parts = [
    fuelText.ofStop(hoursAndMinutes(visit.startedAt)),
    before && after && fuelText.driverOut(stintDriverName(before, race)),
    before && after && fuelText.driverIn(stintDriverName(after, race)),
  ]
  return <p className={typography.sub}>{`${parts.filter(Boolean).join(', ')}.`}</p>
}

/** Returns the stop of which a new entry is. */
function stopOf({ stop }: Extract<Entry, { kind: 'new' }>, { visits }: CarRace): Visit | undefined {
  return stop ?? visits.at(-1)
}

function keyOf(entry: Entry): string {
  if (entry.kind === 'start') return 'start'
  return entry.kind === 'new' ? entry.id : entry.fill.id
}

function titleOf(entry: Entry | null): string {
  if (entry === null) return fuelText.fuel
  if (entry.kind === 'start') return fuelText.startQuestion
  return entry.kind === 'new' ? fuelText.question : fuelText.changeQuestion
}

interface FillListProps {
  sessionId: string
  fills: readonly Fill[]
  /** Stops whose litres nobody has entered. */
  missing: readonly Visit[]
  onEnter: (stop: Visit) => void
  onChange: (fill: EnteredFill) => void
  onChangeStart: () => void
}

/** Fills entered so far, newest first, and the fuel at the start. */
function FillList(props: FillListProps) {
  const { sessionId, fills, missing, onEnter, onChange, onChangeStart } = props
  const change = useFills(sessionId)
  const [removed, setRemoved] = useState<EnteredFill | null>(null)
  const start = fills.find(({ kind }) => kind === 'start')
  const entered = fills.filter(isEntered).toReversed()
  const remove = (fill: EnteredFill) =>
    change.mutate({ do: 'remove', fillId: fill.id }, { onSuccess: () => setRemoved(fill) })
  const undo = (fill: EnteredFill) => {
    // The removed id is never used again, so that a late repetition cannot bring the fill back.
    const again = { id: crypto.randomUUID(), at: fill.at, ...fillValues(fill) }
    change.mutate({ do: 'add', fill: again }, { onSuccess: () => setRemoved(null) })
  }
  return (
    <section className={styles.entries} aria-label={fuelText.entries}>
      {removed && (
        <output className={styles.removed}>
          {fuelText.removed}{' '}
          <button type="button" disabled={change.isPending} onClick={() => undo(removed)}>
            {fuelText.undo}
          </button>
        </output>
      )}
      {change.error && <DialogError>{refusalText(change.error)}</DialogError>}
      <ul>
        {missing.toReversed().map(stop => (
          <li key={stop.startedAt}>
            <p>
              <b>{fuelText.notEntered}</b>
              <small>{fuelText.ofStop(hoursAndMinutes(stop.startedAt))}</small>
            </p>
            <IconButton
              label={fuelText.enterOf(hoursAndMinutes(stop.startedAt))}
              icon={<Plus size={20} aria-hidden />}
              onPress={() => onEnter(stop)}
            />
          </li>
        ))}
        {entered.map(fill => (
          <li key={fill.id}>
            <p>
              <b>{fuelText.entry(fill.litres, fill.kind)}</b>
              <small>
                {hoursAndMinutes(fill.at)}
                <EnteredBy fill={fill} />
              </small>
            </p>
            <IconButton
              label={fuelText.change(hoursAndMinutes(fill.at))}
              icon={<Pencil size={20} aria-hidden />}
              onPress={() => onChange(fill)}
            />
            <IconButton
              label={fuelText.remove(hoursAndMinutes(fill.at))}
              icon={<Trash2 size={20} aria-hidden />}
              onPress={() => remove(fill)}
            />
          </li>
        ))}
        <li>
          <p>
            <b>{start ? fuelText.litres(String(start.litres)) : fuelText.assumedFull}</b>
            <small>
              {fuelText.atStart}
              {start && <EnteredBy fill={start} />}
            </small>
          </p>
          <IconButton
            label={fuelText.changeStart}
            icon={<Pencil size={20} aria-hidden />}
            onPress={onChangeStart}
          />
        </li>
      </ul>
    </section>
  )
}

function EnteredBy({ fill: { enteredBy } }: { fill: Fill }) {
  return enteredBy !== undefined && ` ${fuelText.enteredBy(enteredBy)}`
}
