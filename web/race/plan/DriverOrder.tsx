import { ArrowUp } from 'lucide-react'
import type { RosterDriver } from '#contract/roster.ts'
import { planText } from '#web/text/plan.ts'
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

/** Chooses the drivers of a car, and the order in which they drive. */
export function DriverOrder({ drivers, chosen, onChange }: Props) {
  if (drivers.length === 0) return <p className={typography.sub}>{planText.noDrivers}</p>
  const others = drivers.filter(({ id }) => !chosen.includes(id)).map(({ id }) => id)
  return (
    <ul className={styles.order}>
      {[...chosen, ...others].map((id, index) => {
        const name = drivers.find(driver => driver.id === id)?.name ?? ''
        const drives = chosen.includes(id)
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
              if (drives && chosen.includes(dragged)) onChange(movedTo(chosen, dragged, index))
            }}
            onKeyDown={event => {
              const by = steps[event.key]
              if (!drives || by === undefined || !chosen[index + by]) return
              event.preventDefault()
              onChange(movedTo(chosen, id, index + by))
            }}
          >
            <Checkbox
              label={name}
              checked={drives}
              // A plan needs a driver.
              disabled={drives && chosen.length === 1}
              onChange={() =>
                onChange(drives ? chosen.filter(each => each !== id) : [...chosen, id])
              }
            />
            {drives && index > 0 && (
              <IconButton
                label={planText.earlier(name)}
                icon={<ArrowUp aria-hidden />}
                onPress={() => onChange(movedTo(chosen, id, index - 1))}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** The type of the data of a driver that is dragged: drivers of another list are not of this order. */
const dragType = 'application/x-driver'

/** Arrow keys move the driver that has the focus. */
const steps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

function movedTo(ids: readonly string[], moved: string, index: number): string[] {
  return ids.filter(id => id !== moved).toSpliced(index, 0, moved)
}
