import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RosterDriver } from '#contract/roster.ts'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import type { Member } from '#contract/teams.ts'
import { membersQuery } from '#web/api/teamQueries.ts'
import { personName } from '#web/race/driverName.ts'
import { rosterText } from '#web/text/roster.ts'
import { Field } from '#web/ui/Field.tsx'
import { required } from '#web/ui/required.ts'
import { SaveDialog, useSaveForm } from '#web/ui/SaveDialog.tsx'
import { SelectField } from '#web/ui/SelectField.tsx'
import { useSaveDriver } from './useSaveRoster.ts'

interface Props {
  teamId: string
  /** The edited driver; null adds one. */
  driver: RosterDriver | null
  onClose: () => void
}

/** The dialog to add or edit a driver. */
export function DriverDialog({ teamId, driver, onClose }: Props) {
  // Made once: a repeated press saves the same driver.
  const [id] = useState(() => driver?.id ?? crypto.randomUUID())
  const { data: members = [] } = useQuery(membersQuery(teamId))
  const save = useSaveDriver(teamId)
  const { register, errors, form, setValue, getValues } = useSaveForm({
    defaultValues: { name: driver?.name ?? '', userId: driver?.userId ?? '' },
    send: ({ name, userId }) => save.mutateAsync({ id, name, userId: userId || null }),
    onSaved: onClose,
  })
  // Typing a member's name again would be a waste.
  const fillName = (userId: string) => {
    const member = members.find(each => each.id === userId)
    if (member && getValues('name').trim() === '')
      setValue('name', personName(member), { shouldValidate: true })
  }
  return (
    <SaveDialog
      title={driver ? rosterText.editDriver : rosterText.addDriver}
      form={form}
      onClose={onClose}
    >
      <Field
        {...register('name', required(rosterText.driverNameMissing))}
        label={rosterText.driverName}
        error={errors.name?.message}
        maxLength={maxNameLetters}
        autoComplete="off"
      />
      <SelectField
        {...register('userId', { onChange: event => fillName(event.target.value) })}
        label={rosterText.member}
      >
        <option value="">{rosterText.noMember}</option>
        {linkable(members, driver).map(({ id: memberId, label }) => (
          <option key={memberId} value={memberId}>
            {label}
          </option>
        ))}
      </SelectField>
    </SaveDialog>
  )
}

/** The team's members, and the person linked so far, who may have left: the browser would select another option. */
function linkable(members: readonly Member[], driver: RosterDriver | null) {
  const options = members.map(member => ({ id: member.id, label: personName(member) }))
  const linked = driver?.userId
  const isListed = !linked || members.some(({ id }) => id === linked)
  return isListed ? options : [...options, { id: linked, label: rosterText.formerMember }]
}
