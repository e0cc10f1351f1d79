// The document as a person is shown it, written as HTML. Runs apart from the scripts of the page, which can change none of
// the functions it uses; properties are read from their prototypes, because a form shows its fields in place of its own.
((limit) => {
  const getter = (proto, name) => {
    const get = Object.getOwnPropertyDescriptor(proto, name).get;
    return (it) => get.call(it);
  };
  const childNodes = getter(Node.prototype, "childNodes");
  const nodeType = getter(Node.prototype, "nodeType");
  const nodeValue = getter(Node.prototype, "nodeValue");
  const shadowRoot = getter(Element.prototype, "shadowRoot");
  const localName = getter(Element.prototype, "localName");
  const attributes = getter(Element.prototype, "attributes");
  const textContent = getter(Node.prototype, "textContent");
  const contentDocument = getter(HTMLIFrameElement.prototype, "contentDocument");

  const LEFT_OUT = new Set(["script", "style", "noscript", "template", "link"]);
  const EMPTY = new Set(["area", "base", "br", "col", "embed", "hr", "img", "input", "meta", "source", "track", "wbr"]);
  const NAME = /^[A-Za-z_][-\w:.]*$/;

  const parts = [];
  let size = 0;
  const put = (text) => {
    size += text.length;
    if (size > limit) throw new Error("too large");
    parts.push(text);
  };
  const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const quoted = (text) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;");

  const hiddenFrom = (element) => {
    const style = getComputedStyle(element);
    if (style.display === "none") return true;
    return style.visibility !== "visible" && element.firstElementChild === null;
  };

  // What is still to be written, the next one last: nodes, and ends of elements.
  const todo = [document.documentElement];
  const push = (nodes) => {
    for (let at = nodes.length - 1; at >= 0; at--) todo.push(nodes[at]);
  };
  put("<!doctype html>\n");
  while (todo.length > 0) {
    const node = todo.pop();
    if (typeof node === "string") {
      put(node);
      continue;
    }
    if (node === null) continue;
    const type = nodeType(node);
    if (type === Node.TEXT_NODE) put(escaped(nodeValue(node)));
    if (type !== Node.ELEMENT_NODE) continue;
    let name = localName(node);
    if (name === "script" && node.getAttribute("type") === "application/ld+json") {
      put('<script type="application/ld+json">' + textContent(node).replace(/<\//g, "<\\/") + "</script>");
      continue;
    }
    if (LEFT_OUT.has(name) && !(name === "link" && node.hasAttribute("href"))) continue;
    if (!NAME.test(name)) name = "span";
    let children;
    if (name === "slot" && node.assignedNodes().length > 0) children = node.assignedNodes();
    else if (shadowRoot(node)) children = childNodes(shadowRoot(node));
    else children = childNodes(node);
    if (name === "iframe") {
      // A frame of the same site is part of the page; others are not loaded.
      const inner = contentDocument(node);
      name = "div";
      children = inner && inner.body ? childNodes(inner.body) : [];
    }
    put("<" + name);
    for (const { name: key, value } of attributes(node)) {
      if (!NAME.test(key) || key === "hidden" || value.startsWith("data:")) continue;
      put(" " + key + '="' + quoted(value) + '"');
    }
    if (name !== "head" && name !== "html" && !node.closest("head") && hiddenFrom(node)) put(" hidden");
    put(">");
    if (EMPTY.has(name) || name === "link") continue;
    todo.push("</" + name + ">");
    push(children);
  }
  return { html: parts.join(""), url: location.href, height: document.documentElement ? document.documentElement.scrollHeight : 0 };
})
