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
          <li key={id}>
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
                onPress={() => onChange(movedUp(chosen, index))}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}

function movedUp(ids: readonly string[], index: number): string[] {
  const before = ids[index - 1]
  const moved = ids[index]
  if (before === undefined || moved === undefined) return [...ids]
  return [...ids.slice(0, index - 1), moved, before, ...ids.slice(index + 1)]
}
