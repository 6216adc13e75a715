import { ArrowUp } from 'lucide-react'
import { useState } from 'react'
import type { RosterDriver } from '#contract/roster.ts'
import { planText } from '#web/text/plan.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import typography from '#web/ui/theme/typography.module.css'
import styles from './Plan.module.css'

interface Props {
  /** Drivers who are not archived. */
  drivers: readonly RosterDriver[]
  /** In the order in which they drive. */
  chosen: readonly string[]
  onChange: (driverIds: string[]) => void
}

/** Chooses the drivers of a car, and the order in which they drive. A key unticks all of them, for a car with few. */
export function DriverOrder({ drivers, onChange, ...props }: Props) {
  // A plan needs a driver: without any tick the stored choice stays.
  const [hasNone, setHasNone] = useState(false)
  const chosen = hasNone ? [] : props.chosen
  // Drivers who were taken out stay at their place: the next press must not meet another name.
  const [places, setPlaces] = useState<ReadonlyMap<string, number>>(new Map())
  if (drivers.length === 0) return <p className={typography.sub}>{planText.noDrivers}</p>
  const listed = inPlaces(chosen, drivers, places)
  const change = (ids: string[]) => {
    setHasNone(false)
    onChange(ids)
  }
  const untickAll = () => {
    setPlaces(new Map(listed.map((id, index) => [id, index])))
    setHasNone(true)
  }
  return (
    <>
      <div className={styles.ticks}>
        <Button variant="quiet" narrow disabled={hasNone} onClick={untickAll}>
          {planText.untickAll}
        </Button>
        <Button
          variant="quiet"
          narrow
          disabled={chosen.length === drivers.length}
          onClick={() => change(listed)}
        >
          {planText.tickAll}
        </Button>
      </div>
      {hasNone && <output className={typography.sub}>{planText.noneTicked}</output>}
      <ul className={styles.order}>
        {listed.map((id, index) => {
          const name = drivers.find(driver => driver.id === id)?.name ?? ''
          const rank = chosen.indexOf(id)
          const drives = rank >= 0
          return (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys come from the box inside
            <li
              key={id}
              draggable={drives}
              onDragStart={({ dataTransfer }) => dataTransfer.setData(dragType, id)}
              onDragOver={event => {
                if (drives && event.dataTransfer.types.includes(dragType)) event.preventDefault()
              }}
              onDrop={event => {
                const dragged = event.dataTransfer.getData(dragType)
                if (drives && chosen.includes(dragged)) change(movedTo(chosen, dragged, rank))
              }}
              onKeyDown={event => {
                const by = steps[event.key]
                if (!drives || by === undefined || !chosen[rank + by]) return
                event.preventDefault()
                change(movedTo(chosen, id, rank + by))
              }}
            >
              <Checkbox
                label={name}
                checked={drives}
                // A plan needs a driver.
                disabled={drives && chosen.length === 1}
                onChange={() => {
                  if (drives) setPlaces(new Map(places).set(id, index))
                  change(listed.filter(each => (each === id ? !drives : chosen.includes(each))))
                }}
              />
              {rank > 0 && (
                <IconButton
                  label={planText.earlier(name)}
                  icon={<ArrowUp aria-hidden />}
                  onPress={() => change(movedTo(chosen, id, rank - 1))}
                />
              )}
            </li>
          )
        })}
      </ul>
    </>
  )
}

/** Returns chosen drivers in their order, with those who were taken out at their place, and then all others. */
function inPlaces(
  chosen: readonly string[],
  drivers: readonly RosterDriver[],
  places: ReadonlyMap<string, number>,
): string[] {
  const others = drivers.filter(({ id }) => !chosen.includes(id)).map(({ id }) => id)
  const listed = [...chosen, ...others.filter(id => !places.has(id))]
  const taken = others.filter(id => places.has(id))
  for (const id of taken.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0)))
    listed.splice(places.get(id) ?? 0, 0, id)
  return listed
}

/** The type of the data of a driver that is dragged: drivers of another list are not of this order. */
const dragType = 'application/x-driver'

/** Arrow keys move the driver that has the focus. */
const steps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

function movedTo(ids: readonly string[], moved: string, index: number): string[] {
  return ids.filter(id => id !== moved).toSpliced(index, 0, moved)
}
