import { type Ref, type SelectHTMLAttributes, useId } from 'react'
import styles from './SelectField.module.css'

interface Props extends SelectHTMLAttributes<HTMLSelectElement> {
  label: string
  ref?: Ref<HTMLSelectElement>
}

/** A labelled list to choose from. */
export function SelectField({ label, children, ...select }: Props) {
  const id = useId()
  return (
    <div className={styles.select}>
      <label htmlFor={id}>{label}</label>
      <select {...select} id={id}>
        {children}
      </select>
    </div>
  )
}
