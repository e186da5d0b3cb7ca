// Red-black trees and linked lists of libstdc++
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libstdc++'s std::map and std::list call library functions for operations on
// nodes. These are our versions, with the headers' node layouts.
//
// A red-black tree: the children of a red node are black, and all paths from a
// node down to a missing child contain the same number of black nodes. The
// header node is not part of the tree. Its parent is the root (and the root's
// parent is the header), its left and right are the first and the last node,
// and it is red.

namespace std {

enum _Rb_tree_color { _S_red = false, _S_black = true };

struct _Rb_tree_node_base {
  _Rb_tree_color color;
  _Rb_tree_node_base *parent, *left, *right;
};

} // namespace std

namespace {
using Node = std::_Rb_tree_node_base;
using Child = Node *Node::*;
constexpr auto Red = std::_S_red, Black = std::_S_black;

bool isBlack(const Node *n) { return !n || n->color == Black; }

Child opposite(Child side) {
  return side == &Node::left ? &Node::right : &Node::left;
}

/// The pointer that leads to \p n: the root, or a side of its parent.
Node *&linkTo(Node *n, Node *&root) {
  return n == root              ? root
         : n == n->parent->left ? n->parent->left
                                : n->parent->right;
}

/// Puts the child of \p n on the other side in n's place; n becomes that node's
/// child on \p side. The order of the elements stays.
void rotate(Node *n, Child side, Node *&root) {
  Child other = opposite(side);
  Node *up = n->*other;
  linkTo(n, root) = up;
  n->*other = up->*side;
  if (up->*side)
    (up->*side)->parent = n;
  up->parent = n->parent;
  up->*side = n;
  n->parent = up;
}

Node *furthest(Node *n, Child side) {
  while (n->*side)
    n = n->*side;
  return n;
}

/// The neighbour in order: the outermost node beneath n's child on \p side, or
/// else the first ancestor that has n on its other side.
Node *neighbour(Node *n, Child side) {
  if (n->*side)
    return furthest(n->*side, opposite(side));
  Node *up = n->parent;
  for (; n == up->*side; up = up->parent)
    n = up;
  // In a tree of one node, n is now the header.
  return n->*side != up ? up : n;
}

Node *increment(Node *n) { return neighbour(n, &Node::right); }
Node *decrement(Node *n) {
  // The predecessor of the header is the last node.
  if (n->color == Red && n->parent->parent == n)
    return n->right;
  return neighbour(n, &Node::left);
}

/// Repairs the tree when all paths through \p n lack one black node. \p n may
/// be null; it is a child of \p parent.
void restoreBlack(Node *n, Node *parent, Node *&root) {
  while (n != root && isBlack(n)) {
    Child side = n == parent->left ? &Node::left : &Node::right;
    Child other = opposite(side);
    Node *sibling = parent->*other;
    if (sibling->color == Red) {
      sibling->color = Black;
      parent->color = Red;
      rotate(parent, side, root);
      sibling = parent->*other;
    }
    if (isBlack(sibling->left) && isBlack(sibling->right)) {
      sibling->color = Red;
      n = parent;
      parent = n->parent;
      continue;
    }
    if (isBlack(sibling->*other)) {
      (sibling->*side)->color = Black;
      sibling->color = Red;
      rotate(sibling, other, root);
      sibling = parent->*other;
    }
    sibling->color = parent->color;
    parent->color = Black;
    (sibling->*other)->color = Black;
    rotate(parent, side, root);
    break;
  }
  if (n)
    n->color = Black;
}
} // namespace

namespace std {

Node *_Rb_tree_increment(Node *n) { return increment(n); }
const Node *_Rb_tree_increment(const Node *n) {
  return increment(const_cast<Node *>(n));
}
Node *_Rb_tree_decrement(Node *n) { return decrement(n); }
const Node *_Rb_tree_decrement(const Node *n) {
  return decrement(const_cast<Node *>(n));
}

void _Rb_tree_insert_and_rebalance(const bool left, Node *n, Node *parent,
                                   Node &header) {
  Node *&root = header.parent;
  *n = {Red, parent, nullptr, nullptr};
  if (parent == &header) {
    root = header.left = header.right = n;
  } else if (left) {
    parent->left = n;
    if (parent == header.left)
      header.left = n;
  } else {
    parent->right = n;
    if (parent == header.right)
      header.right = n;
  }
  while (n != root && n->parent->color == Red) {
    Node *grand = n->parent->parent;
    Child side = n->parent == grand->left ? &Node::left : &Node::right;
    Node *uncle = grand->*opposite(side);
    if (!isBlack(uncle)) {
      n->parent->color = uncle->color = Black;
      grand->color = Red;
      n = grand;
      continue;
    }
    if (n == n->parent->*opposite(side)) {
      n = n->parent;
      rotate(n, side, root);
    }
    n->parent->color = Black;
    grand->color = Red;
    rotate(grand, opposite(side), root);
  }
  root->color = Black;
}

Node *_Rb_tree_rebalance_for_erase(Node *const gone, Node &header) {
  Node *&root = header.parent;
  if (header.left == gone)
    header.left =
        gone->right ? furthest(gone->right, &Node::left) : gone->parent;
  if (header.right == gone)
    header.right =
        gone->left ? furthest(gone->left, &Node::right) : gone->parent;

  Node *child, *parent; // the node that moves up, and its new parent
  auto lost = gone->color;
  if (gone->left && gone->right) {
    // The next node replaces it.
    Node *heir = furthest(gone->right, &Node::left);
    lost = heir->color;
    child = heir->right;
    parent = heir->parent == gone ? heir : heir->parent;
    if (parent != heir) {
      heir->parent->left = child;
      if (child)
        child->parent = parent;
      heir->right = gone->right;
      heir->right->parent = heir;
    }
    linkTo(gone, root) = heir;
    heir->left = gone->left;
    heir->left->parent = heir;
    heir->parent = gone->parent;
    heir->color = gone->color;
  } else {
    child = gone->left ? gone->left : gone->right;
    parent = gone->parent;
    linkTo(gone, root) = child;
    if (child)
      child->parent = parent;
  }
  if (lost == Black && root)
    restoreBlack(child, parent, root);
  return gone;
}

namespace __detail {
struct _List_node_base {
  _List_node_base *next, *previous;

  void _M_hook(_List_node_base *position) noexcept;
  void _M_unhook() noexcept;
  void _M_reverse() noexcept;
  void _M_transfer(_List_node_base *first, _List_node_base *last) noexcept;
  static void swap(_List_node_base &x, _List_node_base &y) noexcept;
};

void _List_node_base::_M_hook(_List_node_base *position) noexcept {
  next = position;
  previous = position->previous;
  previous->next = this;
  position->previous = this;
}
void _List_node_base::_M_unhook() noexcept {
  next->previous = previous;
  previous->next = next;
}
void _List_node_base::_M_reverse() noexcept {
  _List_node_base *n = this;
  do {
    _List_node_base *following = n->next;
    n->next = n->previous;
    n->previous = following;
    n = following;
  } while (n != this);
}
/// Moves [first, last) to before this node.
void _List_node_base::_M_transfer(_List_node_base *first,
                                  _List_node_base *last) noexcept {
  if (this == last || first == last)
    return;
  _List_node_base *end = last->previous;
  first->previous->next = last;
  last->previous = first->previous;
  first->previous = previous;
  previous->next = first;
  end->next = this;
  previous = end;
}
void _List_node_base::swap(_List_node_base &x, _List_node_base &y) noexcept {
  // A marker holds x's elements meanwhile; x may be empty.
  _List_node_base marker;
  marker.next = marker.previous = &marker;
  marker._M_transfer(x.next, &x);
  x._M_transfer(y.next, &y);
  y._M_transfer(marker.next, &marker);
}
} // namespace __detail
} // namespace std
