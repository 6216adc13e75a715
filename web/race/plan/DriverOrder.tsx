import { ArrowUp } from 'lucide-react'
import type { PlanChange } from '#contract/races.ts'
import { planText } from '#web/text/plan.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import styles from './Plan.module.css'
import type { ShownPlan } from './planNames.ts'

interface Props extends Pick<ShownPlan, 'race' | 'request'> {
  onChange: (change: PlanChange) => void
}

/** The drivers of this race in the order in which they drive; renders nothing for fewer than two. */
export function DriverOrder({ race, request, onChange }: Props) {
  const able = race.drivers.filter(({ archived }) => !archived)
  if (able.length < 2) return null
  const chosen = request.drivers
  const others = able.filter(({ id }) => !chosen.includes(id)).map(({ id }) => id)
  const change = (driverIds: string[]) => onChange({ kind: 'drivers', driverIds })
  return (
    <details className={styles.more}>
      <summary>{planText.order}</summary>
      <ul className={styles.order}>
        {[...chosen, ...others].map((id, index) => {
          const name = able.find(driver => driver.id === id)?.name ?? ''
          const drives = chosen.includes(id)
          return (
            <li key={id}>
              <Checkbox
                label={name}
                checked={drives}
                // A plan needs a driver.
                disabled={drives && chosen.length === 1}
                onChange={() =>
                  change(drives ? chosen.filter(each => each !== id) : [...chosen, id])
                }
              />
              {drives && index > 0 && (
                <IconButton
                  label={planText.earlier(name)}
                  icon={<ArrowUp aria-hidden />}
                  onPress={() => change(movedUp(chosen, index))}
                />
              )}
            </li>
          )
        })}
      </ul>
    </details>
  )
}

function movedUp(ids: readonly string[], index: number): string[] {
  const before = ids[index - 1]
  const moved = ids[index]
  if (before === undefined || moved === undefined) return [...ids]
  return [...ids.slice(0, index - 1), moved, before, ...ids.slice(index + 1)]
}
