import { Check, CircleAlert, Info, LoaderCircle, Minus } from 'lucide-react'
import { checksText } from '#web/text/checks.ts'
import type { Light } from './phoneChecks.ts'

const icons = {
  good: Check,
  bad: CircleAlert,
  waiting: LoaderCircle,
  note: Info,
  unknown: Minus,
} satisfies Record<Light, unknown>

/** The mark of a check. What a browser cannot measure has a dash, never a check mark. */
export function CheckMark({ light }: { light: Light }) {
  const Icon = icons[light]
  return <Icon aria-label={checksText.lights[light]} />
}
