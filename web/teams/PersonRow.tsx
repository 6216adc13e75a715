import type { ReactNode } from 'react'
import { joinText } from '#web/text/join.ts'
import { Row } from '#web/ui/Rows.tsx'
import { Tag } from '#web/ui/Tag.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import { type NamedPerson, nameOf } from './nameOf.ts'

interface Props {
  person: NamedPerson
  photo?: string | undefined
  tag?: string | undefined
  /** Menu or button with the actions that the signed-in user may take. */
  action?: ReactNode
}

/** A member, or a person invited to the team. */
export function PersonRow({ person, photo, tag, action }: Props) {
  const { firstName, lastName, email } = person
  const name = nameOf(person)
  return (
    <Row
      plate={<ThreeLetterPlate name={lastName ?? firstName ?? email ?? ''} quiet picture={photo} />}
      title={
        <>
          {name} {tag !== undefined && <Tag>{tag}</Tag>}
        </>
      }
      detail={email === null ? joinText.byCode : name === email ? undefined : email}
      action={action}
    />
  )
}
