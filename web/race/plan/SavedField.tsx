import type { InputHTMLAttributes } from 'react'
import { refusalText } from '#web/api/refusalText.ts'
import { Field } from '#web/ui/Field.tsx'
import { useTyped } from './useTyped.ts'

interface Props<Value>
  extends Pick<InputHTMLAttributes<HTMLInputElement>, 'maxLength' | 'type' | 'placeholder'> {
  label: string
  value: Value
  text: (value: Value) => string
  /** Returns the value of a valid text; undefined if it is not valid. */
  read: (text: string) => Value | undefined
  /** The sentence about a text that is not valid. */
  wrong: string
  /** Saves a value in place of the one that the field showed before it was typed. Rejects with the refusal. */
  onSave: (value: Value, was: Value) => Promise<unknown>
}

/** A field that saves what is typed. It follows the changes of other people while nothing typed is unsaved. */
export function SavedField<Value>({ value, text, read, wrong, onSave, ...input }: Props<Value>) {
  const equal = (a: Value, b: Value) => text(a) === text(b)
  const { typed, failure, type, save } = useTyped({ value, read, equal, onSave })
  const isWrong = typed !== null && read(typed) === undefined
  return (
    <Field
      {...input}
      value={typed ?? text(value)}
      error={isWrong ? wrong : failure === null ? undefined : refusalText(failure)}
      onChange={({ target }) => type(target.value)}
      onBlur={save}
      onKeyDown={({ key }) => {
        if (key === 'Enter') save()
      }}
    />
  )
}
