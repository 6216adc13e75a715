import { type ReactNode, useState } from 'react'
import bar from './Bar.module.css'
import iconButton from './IconButton.module.css'
import styles from './Menu.module.css'
import { Picture } from './Picture.tsx'
import { usePopups } from './usePopups.ts'

interface Props {
  /** Accessible name of the button that opens the menu. */
  label: string
  /** Content of that button. */
  button: ReactNode
  /** Position of the button: in the bar, or at the right end of a row. */
  place?: 'bar' | 'row'
  /** Title and detail above the items. */
  title: string
  detail?: string
  children: ReactNode
}

/** A menu that opens from a button in the bar or in a row. */
export function Menu({ label, button, place = 'bar', title, detail, children }: Props) {
  const [wasPressed, setPressed] = useState(false)
  const BaseMenu = usePopups(wasPressed)?.Menu
  const trigger = {
    className: place === 'bar' ? bar.link : iconButton.button,
    'data-tight': '',
    'aria-label': label,
    'aria-haspopup': 'menu',
    children: button,
  } as const
  if (!BaseMenu) {
    const press = () => setPressed(true)
    return <button type="button" aria-expanded={false} onClick={press} {...trigger} />
  }
  return (
    <BaseMenu.Root modal={false} defaultOpen>
      <BaseMenu.Trigger {...trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner
          className={styles.place}
          side="bottom"
          align="end"
          sideOffset={4}
          collisionPadding={8}
        >
          <BaseMenu.Popup className={styles.menu}>
            <BaseMenu.Group>
              <BaseMenu.GroupLabel className={styles.about}>
                <b>{title}</b>
                {detail !== undefined && <span>{detail}</span>}
              </BaseMenu.GroupLabel>
              {children}
            </BaseMenu.Group>
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}

interface ItemProps {
  icon: ReactNode
  children: ReactNode
  onChoose: () => void
}

export function MenuItem({ icon, children, onChoose }: ItemProps) {
  const BaseMenu = usePopups(true)?.Menu
  if (!BaseMenu) return null
  return (
    <BaseMenu.Item className={styles.item} onClick={onChoose}>
      {icon}
      {children}
    </BaseMenu.Item>
  )
}

interface InitialsProps {
  children: string
  /** URL of a picture that replaces the letters, if there is one. */
  picture?: string | undefined
}

/** A person's initials (one or two letters) in a ring, or their picture. */
export function Initials({ children, picture }: InitialsProps) {
  return (
    <span className={styles.initials}>
      {children}
      {picture !== undefined && <Picture key={picture} src={picture} />}
    </span>
  )
}
