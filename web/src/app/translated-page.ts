/** What stands in the place of a text that the browser translated. */
const standIns = new WeakMap<Node, ChildNode>()
/** Those that stand for one text already. */
const usedStandIns = new WeakSet<Node>()

/**
 * Lets the browser translate the page. It puts elements of its own (`<font>`) where texts were, while React holds on to those
 * texts: it throws when it removes one or inserts before it, and what it writes there is seen by nobody. From here on, what
 * concerns such a text concerns what stands in its place, and a text that is written anew returns to its place, to be
 * translated again. React leaves this to pages: https://github.com/facebook/react/issues/11538.
 */
export function followTranslation(): void {
  const note = (records: MutationRecord[]) => {
    for (const record of records) noteChange(record, observer)
  }
  const observer = new MutationObserver(note)
  observer.observe(document.body, { childList: true, subtree: true })

  const { removeChild, insertBefore } = Node.prototype
  Node.prototype.removeChild = function remove<T extends Node>(child: T): T {
    if (child.parentNode === this) return removeChild.call(this, child) as T
    note(observer.takeRecords())
    removeChild.call(this, childInPlaceOf(child, this))
    return child
  }
  Node.prototype.insertBefore = function insert<T extends Node>(node: T, before: Node | null): T {
    if (before === null || before.parentNode === this) {
      return insertBefore.call(this, node, before) as T
    }
    note(observer.takeRecords())
    return insertBefore.call(this, node, childInPlaceOf(before, this)) as T
  }
}

/** Some translators wrap a text instead of replacing it. Where nothing stands for it, the node itself, which is refused. */
function childInPlaceOf(node: Node, parent: Node): Node {
  let at: Node | null = standIns.get(node) ?? node
  while (at && at.parentNode !== parent) at = at.parentNode
  return at ?? node
}

function noteChange(record: MutationRecord, observer: MutationObserver): void {
  const { target, addedNodes, removedNodes, previousSibling, nextSibling } = record
  if (record.type === 'characterData') {
    standIns.get(target)?.replaceWith(target)
    return
  }
  for (const node of addedNodes) if (node instanceof Text) forget(node)
  for (const text of removedNodes) {
    if (!(text instanceof Text) || text.isConnected) continue
    const standIn = [...addedNodes, previousSibling, nextSibling].find(isNewStandIn)
    if (!standIn) continue
    standIns.set(text, standIn)
    usedStandIns.add(standIn)
    observer.observe(text, { characterData: true })
  }
}

/** The page itself has no such element. */
function isNewStandIn(node: Node | null): node is HTMLElement {
  return node?.nodeName === 'FONT' && node.isConnected && !usedStandIns.has(node)
}

/** The text is back, as translated no more, moved, or written anew. */
function forget(text: Text): void {
  standIns.get(text)?.remove()
  standIns.delete(text)
}
