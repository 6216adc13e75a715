import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Fill } from '#contract/fills.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { fuelText } from '#web/text/fuel.ts'
import { DialogError } from '#web/ui/Dialog.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { type EnteredFill, fillValues, isEntered } from './enteredFill.ts'
import styles from './RefuelSheet.module.css'
import { hoursAndMinutes } from './timeOfDay.ts'
import { useFills } from './useFills.ts'

interface Props {
  sessionId: string
  fills: readonly Fill[]
  onChange: (fill: EnteredFill) => void
  onChangeStart: () => void
}

/** Fills entered so far, newest first, and the fuel at the start. */
export function FillList({ sessionId, fills, onChange, onChangeStart }: Props) {
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
        {entered.map(fill => (
          <li key={fill.id}>
            <span>{hoursAndMinutes(fill.at)}</span>
            <b>
              {fuelText.entry(fill.litres, fill.kind)}
              <EnteredBy fill={fill} />
            </b>
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
          <span>{fuelText.atStart}</span>
          <b>
            {start ? fuelText.litres(String(start.litres)) : fuelText.assumedFull}
            {start && <EnteredBy fill={start} />}
          </b>
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
  return enteredBy === undefined ? null : <small> {fuelText.enteredBy(enteredBy)}</small>
}
