import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { RosterDriver } from '#contract/roster.ts'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import type { Member } from '#contract/teams.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { membersQuery } from '#web/api/teamQueries.ts'
import { personName } from '#web/race/driverName.ts'
import { rosterText } from '#web/text/roster.ts'
import { DialogError, FormDialog, SaveChoices } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Stack } from '#web/ui/Wrap.tsx'
import styles from './Roster.module.css'
import { useSaveDriver } from './useSaveRoster.ts'

interface Props {
  teamId: string
  /** The edited driver; null adds one; undefined closes the dialog. */
  driver: RosterDriver | null | undefined
  onClose: () => void
}

/** The dialog to add or edit a driver, which stays open until the response. */
export function DriverDialog({ teamId, driver, onClose }: Props) {
  const save = useSaveDriver(teamId)
  const close = () => {
    save.reset()
    onClose()
  }
  return (
    <FormDialog
      open={driver !== undefined}
      title={driver ? rosterText.editDriver : rosterText.addDriver}
      busy={save.isPending}
      onClose={close}
    >
      <DriverForm teamId={teamId} driver={driver ?? null} save={save} onClose={close} />
    </FormDialog>
  )
}

interface FormProps {
  teamId: string
  driver: RosterDriver | null
  save: ReturnType<typeof useSaveDriver>
  onClose: () => void
}

function DriverForm({ teamId, driver, save, onClose }: FormProps) {
  const selectId = useId()
  // Made once: a repeated press saves the same driver.
  const [id] = useState(() => driver?.id ?? crypto.randomUUID())
  const { data: members = [] } = useQuery(membersQuery(teamId))
  const { register, handleSubmit, formState, setValue, getValues } = useForm({
    mode: 'onTouched',
    defaultValues: { name: driver?.name ?? '', userId: driver?.userId ?? '' },
  })
  // Typing a member's name again would be a waste.
  const fillName = (userId: string) => {
    const member = members.find(each => each.id === userId)
    if (member && getValues('name').trim() === '')
      setValue('name', personName(member), { shouldValidate: true })
  }
  return (
    <form
      noValidate
      onSubmit={event =>
        void handleSubmit(({ name, userId }) =>
          save.mutate({ id, name, userId: userId || null }, { onSuccess: onClose }),
        )(event)
      }
    >
      <Stack>
        <Field
          {...register('name', {
            validate: text => text.trim() !== '' || rosterText.driverNameMissing,
          })}
          label={rosterText.driverName}
          error={formState.errors.name?.message}
          maxLength={maxNameLetters}
          autoComplete="off"
        />
        <div className={styles.select}>
          <label htmlFor={selectId}>{rosterText.member}</label>
          <select
            {...register('userId', { onChange: event => fillName(event.target.value) })}
            id={selectId}
          >
            <option value="">{rosterText.noMember}</option>
            {linkable(members, driver).map(({ id: memberId, label }) => (
              <option key={memberId} value={memberId}>
                {label}
              </option>
            ))}
          </select>
        </div>
        {save.error && <DialogError>{refusalText(save.error)}</DialogError>}
      </Stack>
      <SaveChoices
        cancelLabel={rosterText.cancel}
        saveLabel={rosterText.save}
        valid={formState.isValid}
        busy={save.isPending}
        onCancel={onClose}
      />
    </form>
  )
}

/** The team's members, and the person linked so far, who may have left: the browser would select another option. */
function linkable(members: readonly Member[], driver: RosterDriver | null) {
  const options = members.map(member => ({ id: member.id, label: personName(member) }))
  const linked = driver?.userId
  const isListed = !linked || members.some(({ id }) => id === linked)
  return isListed ? options : [...options, { id: linked, label: rosterText.formerMember }]
}
