import type { Ref, TextareaHTMLAttributes } from 'react'
import styles from './Field.module.css'
import { Labelled, type LabelProps } from './Field.tsx'

interface Props extends TextareaHTMLAttributes<HTMLTextAreaElement>, LabelProps {
  ref?: Ref<HTMLTextAreaElement>
}

/** A labelled multi-line text field. */
export function TextArea({ label, error, rows = 3, ...input }: Props) {
  return (
    <Labelled label={label} error={error}>
      {field => (
        <textarea {...input} {...field} rows={rows} className={`${styles.input} ${styles.lines}`} />
      )}
    </Labelled>
  )
}
