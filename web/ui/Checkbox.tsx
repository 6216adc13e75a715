import { type InputHTMLAttributes, type Ref, useId } from 'react'
import styles from './Checkbox.module.css'
import typography from './theme/typography.module.css'

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> {
  label: string
  /** An explanation below it, which screen readers read with the label. */
  hint?: string
  ref?: Ref<HTMLInputElement>
}

/** A checkbox whose whole row can be pressed. */
export function Checkbox({ label, hint, ...input }: Props) {
  const id = useId()
  const line = (
    <label className={styles.line}>
      <input {...input} {...(hint !== undefined && { 'aria-describedby': id })} type="checkbox" />
      {label}
    </label>
  )
  if (hint === undefined) return line
  return (
    <div>
      {line}
      <p id={id} className={typography.sub}>
        {hint}
      </p>
    </div>
  )
}
