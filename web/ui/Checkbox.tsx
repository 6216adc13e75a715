import type { InputHTMLAttributes, Ref } from 'react'
import styles from './Checkbox.module.css'

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> {
  label: string
  ref?: Ref<HTMLInputElement>
}

/** A checkbox whose whole row can be pressed. */
export function Checkbox({ label, ...input }: Props) {
  return (
    <label className={styles.line}>
      <input {...input} type="checkbox" />
      {label}
    </label>
  )
}
