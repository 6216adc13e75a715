import { ChevronDown } from 'lucide-react'
import { type Ref, type SelectHTMLAttributes, useId } from 'react'
import styles from './SelectField.module.css'
import typography from './theme/typography.module.css'

interface Props extends SelectHTMLAttributes<HTMLSelectElement> {
  label: string
  /** An explanation below it, which screen readers read with the label. */
  hint?: string | undefined
  ref?: Ref<HTMLSelectElement>
}

/** A labelled list to choose from. */
export function SelectField({ label, hint, children, ...select }: Props) {
  const id = useId()
  const hintId = `${id}-hint`
  return (
    <div className={styles.select}>
      <label htmlFor={id}>{label}</label>
      <span className={styles.list}>
        <select {...select} id={id} {...(hint !== undefined && { 'aria-describedby': hintId })}>
          {children}
        </select>
        <ChevronDown size={20} aria-hidden />
      </span>
      {hint !== undefined && (
        <p id={hintId} className={typography.sub}>
          {hint}
        </p>
      )}
    </div>
  )
}
