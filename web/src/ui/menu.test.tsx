import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Menu, MenuItem } from './menu.tsx'

/** A menu of two items; the second asks a question. */
function MenuWithQuestion() {
  const [isConfirming, setConfirming] = useState(false)
  return (
    <>
      <Menu trigger={<button type="button">Plus</button>}>
        <MenuItem onSelect={() => {}}>Télécharger</MenuItem>
        <MenuItem onSelect={() => setConfirming(true)}>Supprimer</MenuItem>
      </Menu>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title="Supprimer ?"
        confirmLabel="Oui"
        onConfirm={() => setConfirming(false)}
      />
    </>
  )
}

test('opened by keyboard, it begins at its first item', async () => {
  render(<MenuWithQuestion />)
  const user = userEvent.setup({ delay: null })
  await user.tab()
  await user.keyboard('{Enter}')
  const first = await screen.findByRole('menuitem', { name: 'Télécharger' })
  await waitFor(() => expect(document.activeElement).toBe(first))
})

test('a dialog that it opens gives the focus back to its button', async () => {
  render(<MenuWithQuestion />)
  const user = userEvent.setup({ delay: null })
  const button = screen.getByRole('button', { name: 'Plus' })
  await user.click(button)
  await user.click(await screen.findByRole('menuitem', { name: 'Supprimer' }))
  const dialog = await screen.findByRole('alertdialog')
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(button))
})
