/** A long one breaks before its « @ » rather than anywhere. */
export function EmailAddress({ children: address }: { children: string }) {
  const at = address.lastIndexOf('@')
  return (
    <span className="[overflow-wrap:anywhere]">
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </span>
  )
}
