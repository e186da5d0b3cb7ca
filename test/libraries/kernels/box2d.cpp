// Box2D in a kernel: boxes fall on the ground
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compare.h"
#include <box2d/box2d.h>

static void work(char *text, unsigned long size) {
  b2World world(b2Vec2(0, -10));
  b2BodyDef at;
  at.position.Set(0, -10);
  b2PolygonShape ground, box;
  ground.SetAsBox(50, 10);
  world.CreateBody(&at)->CreateFixture(&ground, 0);
  box.SetAsBox(1, 1);
  at.type = b2_dynamicBody;
  b2Body *bodies[4];
  for (int i = 0; i != 4; ++i) {
    at.position.Set(0.3f * float(i), 2 + 2.5f * float(i));
    bodies[i] = world.CreateBody(&at);
    bodies[i]->CreateFixture(&box, 1);
  }
  for (int step = 0; step != 40; ++step)
    world.Step(1 / 60.f, 6, 2);
  unsigned long used = 0;
  for (b2Body *each : bodies)
    used += unsigned(std::snprintf(text + used, size - used, "%.4f %.4f; ",
                                   double(each->GetPosition().x),
                                   double(each->GetPosition().y)));
}
int main() { return compare<work>(); }
